import HTTPBasics
import NIOCore

/// Uploads that may be continued: where the script says so, between a request's head and its answer.
extension ScriptMachine {
    /// A client that offers to continue its upload is told where it can.
    func beginUpload(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        guard !exchange.isUploadBegun else { return }
        exchange.isUploadBegun = true
        switch exchange.plan?.scripted.resumable {
        case .announced(let location):
            guard let version = exchange.request.fields.first(UploadVersion.fieldName) else { return }
            let fields = Fields([.init(UploadVersion.fieldName, version), .init("Location", location)])
            send(Interim(status: 104, fields: fields), exchange, connection)
        case .kept(let rule):
            exchange.upload = exchange.state.uploads.begin(exchange.request, rule, contents)
            if let interim = exchange.upload?.interim(rule) { send(interim, exchange, connection) }
        case nil: return
        }
    }

    private func send(_ interim: Interim, _ exchange: ActiveExchange, _ connection: ServerConnection) {
        // RFC 9110 15.2: a client of HTTP/1.0 knows no informational answers.
        guard exchange.request.minorVersion > 0 else { return }
        write(interim.bytes, on: connection)
        journal(.answered(status: interim.status), connection)
    }

    func take(_ bytes: ByteBuffer, _ exchange: ActiveExchange) {
        exchange.take(bytes)
        guard var turn = exchange.upload else { return }
        exchange.state.uploads.take(bytes, for: &turn)
        exchange.upload = turn
    }

    /// The request has been read: what the server answers by itself takes the place of the script's reply, which is
    /// for a whole upload.
    func endUpload(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        guard let turn = exchange.upload else { return }
        let planned = exchange.plan?.reply
        switch exchange.state.uploads.end(turn, isCut: exchange.leavesBodyUnread) {
        case .answer(let answer):
            var reply = answer.reply
            reply.sendRate = planned?.scripted.sendRate
            exchange.ownReply = planned?.saying(reply) ?? PlannedReply(reply, isMade: true)
        case .complete(let path, let body, let fields):
            journal(.uploaded(path: path, body), connection)
            guard let planned else { return }
            var reply = planned.scripted
            if let template = planned.template { reply = made(template, reply, for: exchange, connection) }
            reply.fields.fill(from: fields)
            exchange.ownReply = planned.saying(reply)
        case .wrong(let differences): refuseBody(exchange, [differences], connection)
        }
    }
}
