import HTTPBasics
import MachineContract
import NIOCore
import TestSupport

@testable import ClientMachines

/// Fast-forwards a task to any stage, so that a test begins where it has something to say.
struct TaskBuilder {
    static let url = URLReference(scheme: "http", host: "example.com", path: "/a")
    static let origin = Origin(scheme: "http", host: "example.com", port: 80)
    static let path = "/downloads/understudy-download-3.tmp"

    /// Every place where a task can stand; finer than `TaskStage` where the same stage has several faces.
    enum Station: String, CaseIterable, Sendable {
        case idle, waitingForConnection, awaitingHead, confirmingBody
        case askingRedirect, askingChallenge, askingResponse
        case draining, receivingBody, heldBack, heldBackAtEnd
        case openingBody, openingFile, fillingFile, closingFile, closingKeptFile, completed

        var isDownload: Bool {
            switch self {
            case .openingFile, .fillingFile, .closingFile, .closingKeptFile: true
            default: false
            }
        }
    }

    var plan: TaskPlan
    var settings = ClientSettings()

    init(_ request: ClientRequest = ClientRequest(url: TaskBuilder.url), kind: TaskPlan.Kind = .data) {
        plan = TaskPlan(request: request, kind: kind, asks: [.redirect, .challenge, .response])
        settings.downloadDirectory = "/downloads"
        settings.deliveryWindow = 10
    }

    /// Plays `body` with a task that has arrived at the station; what it put out on the way is taken.
    func play(
        _ station: Station = .idle, isReused: Bool = false, _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        var plan = plan
        if station == .openingBody || station == .confirmingBody { plan.request = .file() }
        if station.isDownload, plan.kind == .data { plan.kind = .download(resuming: nil) }
        let start = Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 0)
        let machine = TaskMachine(plan: plan, settings: SharedSettings(settings), at: start)
        try Playbook.play(machine, describeOutput: { $0.summary }) { book in
            for input in inputs(to: station, isReused: isReused) { book.feed(input) }
            _ = book.take()
            try book.check("station", machine.stage.name, is: station.stageName)
            try body(book)
        }
    }

    private func inputs(to station: Station, isReused: Bool) -> [TaskInput] {
        let sent: [TaskInput] = [.start(suspended: false), .connected(isReused: isReused)]
        let opened = sent + [.event(.downloadHead), .fileOpened]
        switch station {
        case .idle: return [.start(suspended: true)]
        case .waitingForConnection, .openingBody: return [.start(suspended: false)]
        case .awaitingHead: return sent
        case .confirmingBody:
            return [.start(suspended: false), .bodyFileOpened(length: 9), .connected(isReused: isReused)]
                + [.event(.plainHead)]
        case .askingRedirect: return sent + [.event(.redirectHead)]
        case .askingChallenge: return sent + [.event(.challengeHead)]
        case .askingResponse: return sent + [.event(.plainHead)]
        case .draining: return sent + [.event(.redirectHead), .answer(.redirect(TaskBuilder.next))]
        case .receivingBody: return sent + [.event(.plainHead), .answer(.response(allow: true))]
        case .heldBack:
            return sent + [.event(.plainHead), .answer(.response(allow: true)), .event(.body("0123456789"))]
        case .heldBackAtEnd:
            return sent + [.event(.plainHead), .answer(.response(allow: true)), .event(.body("0123456789"))]
                + [.event(.end)]
        case .openingFile: return sent + [.event(.downloadHead)]
        case .fillingFile: return opened + [.event(.body("01234")), .fileWrote(bytes: 5)]
        case .closingFile: return opened + [.event(.body("01234")), .fileWrote(bytes: 5), .event(.end)]
        case .closingKeptFile:
            return opened + [.event(.body("01234")), .fileWrote(bytes: 5), .cancel(keepingResumeData: true)]
        case .completed: return sent + [.cancel(keepingResumeData: false)]
        }
    }

    static let next = ClientRequest(url: URLReference(scheme: "http", host: "example.com", path: "/b"))
}

extension TaskBuilder.Station {
    var stageName: String {
        switch self {
        case .askingRedirect, .askingChallenge, .askingResponse: "asking"
        case .heldBack, .heldBackAtEnd, .fillingFile: "receivingBody"
        case .closingKeptFile: "closingFile"
        default: rawValue
        }
    }
}

extension ResponseEvent {
    static let plainHead = head(200, length: 20)
    static let redirectHead = head(302, [Fields.Field("Location", "/b")], length: 3)
    static let challengeHead = head(401, [Fields.Field("WWW-Authenticate", "Basic realm=\"r\"")], length: 0)
    static let downloadHead = head(200, [Fields.Field("ETag", "\"v1\"")], length: 20)

    static func head(_ status: Int, _ fields: [Fields.Field] = [], length: Int64? = nil) -> Self {
        var fields = fields
        if let length { fields.append(Fields.Field("Content-Length", String(length))) }
        return .head(ResponseHead(status: status, Fields(fields)), contentLength: length.flatMap { DeclaredLength($0) })
    }

    static func body(_ text: String) -> Self { .body(ByteBuffer(string: text)) }
}

extension TaskMachine {
    /// Its request's head as HTTP/1.1 writes it.
    var headText: String {
        let head = head
        return String(
            buffer: RequestWriter.head(
                of: head.request, settings: head.isAtHome ? settings : settings.forStrangers,
                authorization: head.authorization, cookies: head.cookies))
    }
}

extension TaskInput {
    /// The transport took so much of a request, head or framing and body, and has so much yet to take.
    static func wrote(head: Int = 0, _ body: Int = 0, left: Int = 0) -> TaskInput {
        .wrote(SentBytes(wire: head + body, body: body, left: left))
    }

    static func bodyFileOpened(length: Int64) -> TaskInput { .bodyFileOpened(FileVersion(size: length, modified: 1)) }
}

extension TaskOutput {
    /// One short phrase, for tables that people read.
    var summary: String {
        switch self {
        case .acquire(let origin, .any): "acquire \(origin)"
        case .acquire(let origin, let need): "acquire \(need) \(origin)"
        case .keep(let origin, .any): "keep \(origin)"
        case .keep(let origin, let need): "keep \(need) \(origin)"
        case .signedIn: "signed in"
        case .negotiate(let call):
            if case .begin(let host, let credential) = call.step {
                "negotiate \(call.number) with \(host)\(credential.map { " as \($0.user)" } ?? "")"
            } else {
                "negotiate \(call.number)"
            }
        case .watchPath: "watch path"
        case .withdraw: "withdraw"
        case .begin(let start):
            start.isWhole ? "begin (\(start.bytes.readableBytes), whole)" : "begin (\(start.bytes.readableBytes))"
        case .send(.bytes(let bytes)): "send \(String(buffer: bytes).prefix(9)) (\(bytes.readableBytes))"
        case .send(.file(let offset, let count)): "send file \(count) at \(offset)"
        case .send(.end): "send end"
        case .openBodyFile(let file): "open \(file.path)"
        case .readBody(let stream): "read body \(stream.value)"
        case .release: "release"
        case .abandon: "abandon"
        case .load(let request, _): "load \(request.method) \(request.url)"
        case .loadKept(let index): "load kept \(index)"
        case .cache(.collect(let kept, _)): "collect \(kept.response.status)"
        case .cache(.keep): "keep what was collected"
        case .cache(.drop): "drop what was collected"
        case .cache(.freshen(let index, _, _)): "freshen \(index)"
        case .cache(.outdate(let newer)): "outdate \(newer.key.text)"
        case .cache(.forget(let keys)): "forget \(keys.map(\.text).joined(separator: " "))"
        case .tell(let call): "tell " + call.summary
        case .ask(.redirect(let response, let next)): "ask redirect \(response.head.status) to \(next.url)"
        case .ask(.challenge(let challenge)): "ask challenge \(challenge.realm), failures \(challenge.previousFailures)"
        case .ask(.response(let response, _)): "ask response \(response.head.status)"
        case .ask(.bodyStream): "ask body stream"
        case .ask(.delayedRequest(let request)): "ask delayed request \(request.url)"
        case .ask(.loadChallenge(let id)): "ask load challenge \(id.value)"
        case .ask(.connection(let challenge)):
            if case .serverTrust = challenge.kind { "ask server trust" } else { "ask client certificate" }
        case .ask(.bodyStreamFrom(let offset)): "ask body stream from \(offset)"
        case .ask(.cookies(let url)): "ask cookies \(url)"
        case .ask(.kept(let key)): "ask for what is kept of \(key.text)"
        case .ask(.willCache): "ask whether it is kept"
        case .storeCookies(let lines, let url): "store \(lines.count) cookies from \(url)"
        case .file(.write(let bytes)): "file write \(bytes.readableBytes)"
        case .file(.open(let path, let offset)): "file open \(path) at \(offset)"
        case .file(.close(nil)): "file close"
        case .file(.close(let name?)): "file close as \(name)"
        case .file(.discard): "file discard"
        case .file(.remove(let path)): "file remove \(path)"
        case .yield: "yield"
        case .finished: "finished"
        case .bug(let text): "BUG \(text)"
        }
    }
}

extension UserCall {
    var summary: String {
        switch self {
        case .requestChanged(let request): "request \(request.method) \(request.url)"
        case .letIn: "let in"
        case .waitingForConnectivity: "waiting for connectivity"
        case .informational(let response): "informational \(response.head.status)"
        case .sentBody(let bytes, let total, let expected): "sent \(bytes), \(total) of \(Self.text(expected))"
        case .response(let response):
            "response \(response.head.status), expecting \(Self.text(response.expectedLength))"
        case .data(let bytes): "data \(bytes.readableBytes)"
        case .becameDownload: "became download"
        case .wrote(let bytes, let total, let expected): "wrote \(bytes), \(total) of \(Self.text(expected))"
        case .resumed(let offset, let expected): "resumed at \(offset) of \(Self.text(expected))"
        case .file(let path): "file \(path)"
        case .metrics(let metrics): "metrics of \(metrics.transactions.count)"
        case .complete(nil): "complete"
        case .complete(let failure?):
            "complete \(failure.kind.rawValue)" + (failure.resume.map { ", resumable at \($0.offset)" } ?? "")
        }
    }

    private static func text(_ length: DeclaredLength?) -> String { length?.description ?? "-1" }
}
