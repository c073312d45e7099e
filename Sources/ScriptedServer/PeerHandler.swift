import Glibc
import NIOCore
import ServerScript
import ServerTLS

/// The one handler of an accepted connection: turns what the client does into inputs, and outputs into bytes,
/// FIN and RST as exactly as sockets allow. Confined to the server's event loop.
final class PeerHandler: ChannelInboundHandler, @unchecked Sendable {  // Safety: touched on its loop only.
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What shall happen once everything written is with the kernel.
    private enum Ending { case none, output, both }

    private struct Piece {
        /// What goes over the wire.
        var bytes: ByteBuffer
        /// What of the script's it completes.
        var plain: ByteBuffer
        /// It leaves together with what follows.
        var isHead: Bool
    }

    let host: String
    private(set) var peer: PeerID?
    private let transport: PeerTransport
    /// Of a connection in the process.
    private let client: ClientEnd?
    /// Nil once the machine has been told that the connection is over.
    private var taker: (any PeerTaker)?
    /// Nil before the connection is up, and after it is gone.
    private var context: ChannelHandlerContext?
    private var conversation: WireTrace.Conversation?
    /// What lies between the channel and the script on a host that speaks TLS.
    private var tls: PeerTLS?
    /// Written, and not yet known to be with the kernel; so many of them are with the channel.
    private var pieces: [Piece] = []
    private var handed = 0
    /// With the kernel, and the machine does not know of it.
    private var unreportedBytes = 0
    /// A fault of the handshake makes what follows wait; and what of the script's is in it.
    private var pause: Scheduled<Void>?
    private var pausedPlain = ByteBuffer()
    private var isToBeAttended = false
    private var wantsReading = true
    /// What TLS has answered by itself and the kernel has not taken.
    private var answerBytes = 0
    private var ending = Ending.none
    private var isInputClosed = false
    private var isOutputClosed = false
    /// Input that came after the end; bounded by the transport.
    private var discardedBytes = 0

    init(host: String, transport: PeerTransport, taker: any PeerTaker, client: ClientEnd? = nil) {
        self.host = host
        self.client = client
        self.transport = transport
        self.taker = taker
    }

    // MARK: - From the channel

    func channelActive(context: ChannelHandlerContext) {
        guard let (peer, conversation) = transport.admit(self) else {
            taker = nil
            return context.close(promise: nil)
        }
        self.context = context
        self.peer = peer
        self.conversation = conversation
        do {
            tls = try transport.security[host]?.accept()
        } catch {
            return context.close(promise: nil)
        }
        let client = transport.tellsClients ? context.remoteAddress?.ipAddress : nil
        taker?.take(.accepted(peer, host: host, from: client))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let peer else { return }
        let bytes = unwrapInboundIn(data)
        guard taker != nil else { return discard(bytes.readableBytes) }
        guard let tls else { return received(bytes, peer) }
        tls.received(bytes)
        carryOut(isAnswering: true)
    }

    private func received(_ bytes: ByteBuffer, _ peer: PeerID) {
        conversation?.received(bytes)
        reportWritten()
        taker?.take(.received(peer, bytes))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed, let peer else { return }
        isInputClosed = true
        if let tls {
            tls.receivedEnd()
            return carryOut()
        }
        reportWritten()
        taker?.take(.inputClosed(peer))
    }

    /// The channel closes itself after an error, and `channelInactive` tells.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        reportWritten()
        self.context = nil
        pause?.cancel()
        transport.forget(self)
        report { .closed($0) }
        taker = nil
    }

    // MARK: - TLS

    /// A proxy has tunnelled the connection to a host that speaks TLS.
    func secure(as host: String, _ early: ByteBuffer, isSpoilt: Bool) {
        guard taker != nil else { return }
        do {
            let layer = try transport.security[host]?.accept(within: tls, isSpoilt: isSpoilt)
            guard let layer else { return }
            tls = layer
            layer.begin(with: early)
            carryOut()
        } catch {
            close(isAnnounced: false)
        }
    }

    /// The host's fault is to strike the handshake that is about to begin.
    func spoilHandshake() { tls?.spoil() }

    /// A client that asks for new keys again and again and reads nothing cannot fill the memory (BEHAVIOUR
    /// 2.B1-answers).
    private static let mostAnswerBytes = 64 << 10

    /// What the script does meanwhile may put another layer in the place of this one.
    ///
    /// - Parameter plain: What of the script's is in the last bytes that go out now.
    /// - Parameter isAnswering: What goes out is for what the client has sent.
    private func carryOut(plain: ByteBuffer = ByteBuffer(), isHead: Bool = false, isAnswering: Bool = false) {
        guard let peer, let context else { return }
        var plain = plain
        swap(&plain, &pausedPlain)
        plain.writeImmutableBuffer(pausedPlain)
        pausedPlain = ByteBuffer()
        while pause == nil, let move = tls?.nextMove() {
            switch move {
            case .send(let bytes):
                pieces.append(Piece(bytes: bytes, plain: plain, isHead: isHead))
                plain = ByteBuffer()
                if isAnswering { answerBytes += bytes.readableBytes }
                askForAttention(context)
            case .received(let bytes): received(bytes, peer)
            case .inputClosed:
                reportWritten()
                taker?.take(.inputClosed(peer))
            case .reset: reset()
            case .fin: close(isAnnounced: false)
            case .wait(let span): wait(span, context)
            case .handshake(let news): taker?.take(.handshake(peer, news))
            case .unstruck(let text): taker?.take(.unstruck(peer, text))
            case .fail(let failure):
                taker?.take(.secureFailed(peer, failure))
                close(isAnnounced: false)
            }
        }
        if pause != nil { pausedPlain = plain }
        if answerBytes > Self.mostAnswerBytes { updateReading() }
    }

    private func wait(_ span: Duration, _ context: ChannelHandlerContext) {
        pause = context.eventLoop.scheduleTask(in: TimeAmount(span)) { [self] in
            pause = nil
            carryOut()
            if pause == nil { updateReading() }
        }
        updateReading()
    }

    /// The end of a connection waits for nothing.
    private func endPause() {
        guard let pause, let tls else { return }
        pause.cancel()
        self.pause = nil
        tls.hurry()
        carryOut()
        updateReading()
    }

    // MARK: - From the machine

    func write(_ bytes: ByteBuffer, isHead: Bool = false) {
        guard let context, taker != nil, ending == .none, !isOutputClosed else { return }
        if let tls {
            tls.write(bytes)
            return carryOut(plain: bytes, isHead: isHead)
        }
        pieces.append(Piece(bytes: bytes, plain: bytes, isHead: isHead))
        askForAttention(context)
    }

    /// Sends each piece as a segment of its own, for that is what a script means that splits its bytes; but a head
    /// leaves with what follows it.
    private func flush() {
        guard let context else { return }
        while handed < pieces.count {
            let piece = pieces[handed]
            handed += 1
            context.write(wrapOutboundOut(piece.bytes), promise: nil)
            if !piece.isHead || handed == pieces.count || pieces[handed].isHead { context.flush() }
        }
        settle()
    }

    func setReading(_ isReading: Bool) {
        wantsReading = isReading
        updateReading()
    }

    private func updateReading() {
        // What comes in a pause would wait for its end, and gather.
        let isReading = wantsReading && pause == nil && answerBytes <= Self.mostAnswerBytes
        // Fails only on a channel that is closed already.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }

    /// FIN after what was written; reading goes on.
    func closeOutput() {
        guard ending == .none, !isOutputClosed else { return }
        announceEnd()
        ending = .output
        endIfWritten()
    }

    /// TLS says that nothing follows, so that nobody else can say it (RFC 8446 6.1).
    private func announceEnd() {
        endPause()
        guard let tls else { return }
        tls.closeOutput()
        carryOut()
    }

    /// FIN after what was written, and no interest in what may still come.
    ///
    /// - Parameter isAnnounced: Whether TLS says so before.
    func close(isAnnounced: Bool = true) {
        guard taker != nil else { return }
        if isAnnounced { announceEnd() } else { endPause() }
        ending = .both
        endIfWritten()
    }

    func strike(_ fault: RecordFault, ofProxy: Bool) {
        guard let taker, let peer, ending == .none else { return }
        guard let tls else {
            return taker.take(.unstruck(peer, "the fault '\(fault)' could not be done: there is no TLS here"))
        }
        tls.strike(fault, ofProxy: ofProxy)
        carryOut()
    }

    /// RST at once; unsent bytes are dropped, even those in the kernel's buffers.
    func reset() {
        if let options = context?.channel as? any SocketOptionProvider {
            // Zero linger time turns close() into RST (socket(7)); on the loop it takes effect before the close.
            _ = options.setSoLinger(Glibc.linger(l_onoff: 1, l_linger: 0))
        }
        client?.sendUnread()
        abort()
    }

    /// The server stops: at once, without telling the machine.
    func abandon() {
        flush()
        taker = nil
        abort()
    }

    private func abort() { context?.close(promise: nil) }

    // MARK: - Ending in order

    private func endIfWritten() {
        guard pieces.isEmpty else { return }
        switch ending {
        case .none: break
        case .output:
            ending = .none
            shutOutput()
        case .both:
            ending = .none
            linger()
        }
    }

    private func shutOutput() {
        guard let context, !isOutputClosed else { return }
        isOutputClosed = true
        // Fails when the client has reset the connection; then there is no order left to keep.
        context.close(mode: .output).whenFailure { [self] _ in abort() }
    }

    /// Closing a socket with unread input makes the kernel send RST, which can destroy what the client has not
    /// read yet (RFC 9112 9.6). So only FIN goes out, and input is read and thrown away until the client closes too.
    /// The machine's part is over: it is told now.
    private func linger() {
        shutOutput()
        reportWritten()
        report { .closed($0) }
        taker = nil
        guard let context, !isInputClosed else { return abort() }
        setReading(true)
        let alarm = context.eventLoop.scheduleTask(in: transport.lingerTime) { [self] in abort() }
        context.channel.closeFuture.whenComplete { _ in alarm.cancel() }
    }

    private func discard(_ count: Int) {
        discardedBytes += count
        if discardedBytes > transport.lingerBytes { abort() }
    }

    // MARK: - Reports

    func channelWritabilityChanged(context: ChannelHandlerContext) { settle() }

    /// A channel with our water marks is writable when the kernel has taken everything (`Listeners`).
    private func settle() {
        guard let context, handed > 0, context.channel.isWritable else { return }
        for piece in pieces[..<handed] {
            guard piece.plain.readableBytes > 0 else { continue }
            conversation?.sent(piece.plain)
            unreportedBytes += piece.plain.readableBytes
        }
        // A connection that has nothing to send holds no memory for it; the next answer takes it from the heap again.
        if handed == pieces.count { pieces = [] } else { pieces.removeFirst(handed) }
        handed = 0
        if pieces.isEmpty, answerBytes > 0 {
            answerBytes = 0
            updateReading()
        }
        askForAttention(context)
        endIfWritten()
    }

    private func askForAttention(_ context: ChannelHandlerContext) {
        guard !isToBeAttended else { return }
        isToBeAttended = true
        transport.attendSoon(self, on: context.eventLoop)
    }

    /// The loop has been through all that came in. Reports are never made from inside a write: with a client that reads
    /// fast, one write within the other would use up the stack.
    func attend() {
        flush()
        // What the kernel has taken just now is reported here; what follows from that is for another time.
        isToBeAttended = false
        reportWritten()
    }

    /// Before any later news of this connection, so that the machine sees cause before effect.
    private func reportWritten() {
        guard unreportedBytes > 0 else { return }
        let count = unreportedBytes
        unreportedBytes = 0
        report { .wrote($0, bytes: count) }
    }

    private func report(_ input: (PeerID) -> ScriptInput) {
        guard let peer, let taker else { return }
        taker.take(input(peer))
    }
}
