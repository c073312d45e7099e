import BodyFiles
import ClientMachines
import ClientTLS
import Glibc
import HTTPBasics
import NIOCore
import TLSBasics

/// The one handler in a channel's pipeline: turns what the channel does into inputs, and gathers writes.
///
/// Confined to the channel's event loop. It keeps its taker (the shard) alive until the connection is over.
final class ConnectionHandler: ChannelInboundHandler, @unchecked Sendable {  // Safety: touched on its loop only.
    typealias InboundIn = ByteBuffer

    let id: ConnectionID
    private let transport: SocketTransport
    /// Nil once the machine has been told that the connection is over; nothing is reported any more.
    private var taker: (any InputTaker)?
    private var channel: (any Channel)?
    private var isOpen = false
    /// What lies between the channel and the machine once the machine has asked for it; of two layers the inner one.
    private(set) var tls: ConnectionTLS?
    private var isPassingOn = false
    private var isWaitingForTransport = false
    /// The newest write of this turn waits here, because the last one before a flush carries the promise.
    private var held: IOData?
    /// Bytes given to the channel since the last flush whose fate the machine wants to know.
    private var turnBytes = 0
    /// A file of which this turn has written, and how far.
    private var turnFile: (file: SendableFile, end: Int64)?
    /// Bytes that a flush has covered and the kernel has not taken.
    private var pendingBytes = 0
    /// Bytes that the kernel took and the machine does not know of.
    private var unreportedBytes = 0
    private var closesWhenWritten = false
    /// The machine wants nothing at the moment.
    private var isPaused = false
    private var readsByItself = true
    private var mark = ReceiveMark()
    private var isMarkWatched = false

    init(id: ConnectionID, transport: SocketTransport, taker: any InputTaker) {
        self.id = id
        self.transport = transport
        self.taker = taker
    }

    // MARK: - From the channel

    func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

    func channelActive(context: ChannelHandlerContext) {
        isOpen = true
        let local = context.localAddress.flatMap(NetworkAddress.init)
        let isMultipath = transport.usesMultipath && MultipathTCP.isSpoken(on: context.channel)
        taker?.take(.connected(id, local: local, isMultipath: isMultipath))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isPaused { readByItself(false) }
        reportWritten()
        let bytes = unwrapInboundIn(data)
        if let tls {
            tls.received(bytes)
            passOn()
        } else {
            taker?.take(.received(id, bytes))
        }
        if bytes.readableBytes >= ReceiveMark.worthwhile || mark.level > 1 { moveMark(after: bytes.readableBytes) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        reportWritten()
        guard let tls else {
            taker?.take(.inputClosed(id))
            return
        }
        tls.receivedEnd()
        passOn()
    }

    /// The channel closes itself after an error, and `channelInactive` tells; which error it was changes nothing.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        reportWritten()
        ended(.closed(id))
    }

    /// The connection attempt came to nothing. Without effect if the machine gave it up before.
    func connectFailed(_ failure: ConnectFailure) {
        guard !isOpen else { return }
        ended(.connectFailed(id, failure))
    }

    private func ended(_ input: ClientInput) {
        transport.forget(self)
        let taker = self.taker
        self.taker = nil
        channel = nil
        held = nil
        tls = nil
        taker?.take(input)
    }

    // MARK: - TLS

    /// From here on the channel carries what this layer makes of it.
    func secure(with tls: ConnectionTLS) {
        self.tls = tls
        passOn()
    }

    func decideTrust(_ decision: TrustDecision, at date: UnixTime) {
        guard let tls else { return }
        tls.decide(decision, at: date)
        passOn()
    }

    func present(_ identity: TLSIdentity?) {
        guard let tls else { return }
        tls.present(identity)
        passOn()
    }

    /// Gives the channel and the machine what the layer has for them. What the machine says to one thing comes back
    /// here before the next; it may put another layer in the place of this one.
    private func passOn() {
        hold(ciphertext: tls?.takeAnswers())
        guard !isPassingOn else { return }
        isPassingOn = true
        while let taker, let input = tls?.nextInput() {
            if case .closed = input {
                let lost = channel
                ended(input)
                lost?.close(promise: nil)
            } else {
                taker.take(input)
            }
            hold(ciphertext: tls?.takeAnswers())
        }
        isPassingOn = false
        hold(ciphertext: tls?.takeAnswers())
        if tls?.isAheadOfTransport == true { waitForTransport() }
        updateReading()
        // What TLS says by itself waits for no turn of the machine.
        transport.flush()
    }

    private func hold(ciphertext bytes: ByteBuffer?) {
        guard let bytes else { return }
        hold(.byteBuffer(bytes))
        transport.noteUnflushed(self)
    }

    /// Writes are done in order: an empty one is when all before it are.
    private func waitForTransport() {
        guard !isWaitingForTransport, let channel else { return }
        isWaitingForTransport = true
        let sent = channel.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenSuccess { [self] in
            isWaitingForTransport = false
            tls?.allIsSent()
            updateReading()
        }
        // What is held goes before it, and an empty one is held to be flushed.
        hold(.byteBuffer(ByteBuffer()))
        channel.write(IOData.byteBuffer(ByteBuffer()), promise: sent)
        transport.noteUnflushed(self)
    }

    // MARK: - From the machine

    func write(_ bytes: ByteBuffer, isReported: Bool) {
        if let tls {
            tls.write(bytes)
            hold(ciphertext: tls.takeCiphertext())
        } else {
            hold(.byteBuffer(bytes))
        }
        if isReported { turnBytes += bytes.readableBytes }
    }

    /// One exchange at a time is on a connection, and nothing follows a file before all of it was taken: the file is
    /// the same for all of a turn.
    func write(_ file: SendableFile, offset: Int64, count: Int) {
        let end = offset + Int64(count)
        if tls != nil { return writeSecured(file, offset: offset, count: count) }
        // The channel would try for ever to get a byte out of a file that has none.
        if let trouble = file.trouble(upTo: end) { return breakOff(file, trouble) }
        hold(.fileRegion(file.region(offset: offset, count: count)))
        turnBytes += count
        turnFile = (file, end)
    }

    /// What TLS protects goes through memory, piece by piece (a part is half a mebibyte at most).
    private func writeSecured(_ file: SendableFile, offset: Int64, count: Int) {
        do throws(SourceFile.Trouble) {
            write(try file.read(offset: offset, count: count), isReported: true)
        } catch {
            breakOff(file, error)
        }
    }

    private func hold(_ data: IOData) {
        if let held { channel?.write(held, promise: nil) }
        held = data
    }

    /// Sends what this turn has written, in one go.
    func flush() {
        guard let held, let channel else { return }
        let bytes = turnBytes
        self.held = nil
        guard bytes > 0 else { return channel.writeAndFlush(held, promise: nil) }
        turnBytes = 0
        pendingBytes += bytes
        let written = channel.eventLoop.makePromise(of: Void.self)
        if let turnFile {
            watch(turnFile.file, end: turnFile.end, until: written.futureResult)
            written.futureResult.whenSuccess { [self] in flushed(bytes, of: turnFile.file, end: turnFile.end) }
        } else {
            written.futureResult.whenSuccess { [self] in flushed(bytes) }
        }
        turnFile = nil
        channel.writeAndFlush(held, promise: written)
    }

    /// Holds the file open while it is being sent. If it becomes shorter meanwhile, the channel would try for ever to
    /// get a byte out of it.
    private func watch(_ file: SendableFile, end: Int64, until written: EventLoopFuture<Void>) {
        let watch = written.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [self] _ in
            if let trouble = file.trouble(upTo: end) { breakOff(file, trouble) }
        }
        written.whenComplete { _ in watch.cancel() }
    }

    /// The request on this connection can never be completed, and no other may follow it.
    private func breakOff(_ file: SendableFile, _ trouble: SourceFile.Trouble) {
        taker?.take(.bodyFileFailed(file.task, trouble.kind, detail: trouble.detail))
        held = nil
        channel?.close(promise: nil)
    }

    /// A pause takes effect with the first bytes that come during it. Most pauses, such as for a question to a delegate
    /// that answers at once, are over before that, and cost no system call.
    func setReading(_ isReading: Bool) {
        isPaused = !isReading
        if isReading { updateReading() }
    }

    private func updateReading() {
        if tls?.isFull == true { readByItself(false) } else if !isPaused, taker != nil { readByItself(true) }
    }

    /// Whether the kernel, too, knows of nothing that has come. An end, or bytes without a request, that arrived
    /// since the loop last asked would be told after the request that is about to be written.
    var isUntouched: Bool {
        guard hasNews else { return tls?.isUntouched() ?? true }
        guard let tls else { return false }
        // What has come may be for the layer alone: it has to see it. A few tickets are small.
        var piece = channel?.allocator.buffer(capacity: 16 * 1024) ?? ByteBuffer()
        piece.writeWithUnsafeMutableBytes(minimumWritableBytes: 16 * 1024) { space in
            max(0, receive(into: space.baseAddress, space.count, 0) ?? 0)
        }
        tls.received(piece)
        let isUntouched = tls.isUntouched()
        hold(ciphertext: tls.takeAnswers())
        return isUntouched && !hasNews
    }

    /// Whether the socket has bytes or an end that were not read.
    private var hasNews: Bool {
        var byte: UInt8 = 0
        return receive(into: &byte, 1, CInt(MSG_PEEK)) != nil
    }

    /// What the socket has at once: 0 for its end, or an error; nil if nothing has come.
    private func receive(into space: UnsafeMutableRawPointer?, _ count: Int, _ flags: CInt) -> Int? {
        let received: Int?? = try? channel?.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { socket in
            let count = recv(socket, space, count, flags | CInt(MSG_DONTWAIT))
            return count < 0 && errno == EAGAIN ? -1 : max(0, count)
        }
        // There is no socket of a channel that is closed.
        guard let received = received ?? nil else { return 0 }
        return received < 0 ? nil : received
    }

    private func readByItself(_ reads: Bool) {
        guard readsByItself != reads else { return }
        readsByItself = reads
        // Fails only on a channel that is closed already.
        try? channel?.syncOptions?.setOption(.autoRead, value: reads)
    }

    /// The machine is done with this connection: it hears of it no more. What was written is still sent, for
    /// `grace` at most; after that, and for a connection that is still being made, the channel just goes.
    func close(grace: TimeAmount) {
        taker = nil
        if let tls {
            tls.close()
            hold(ciphertext: tls.takeCiphertext())
        }
        flush()
        guard let channel, isOpen, pendingBytes > 0 else { return abort() }
        closesWhenWritten = true
        readByItself(false)
        let alarm = channel.eventLoop.scheduleTask(in: grace) { [self] in abort() }
        channel.closeFuture.whenComplete { _ in alarm.cancel() }
    }

    /// Closes at once; what is not sent is lost.
    func abort() {
        taker = nil
        // Without a channel nobody tells of its end.
        guard let channel else { return transport.forget(self) }
        channel.close(promise: nil)
    }

    // MARK: - The mark below which the socket is not worth a wake-up

    private func moveMark(after count: Int) {
        // What the layer holds of a record will not come again.
        let due = (taker?.bytesDue(on: id) ?? 0) - (tls?.unopenedBytes ?? 0)
        guard mark.received(count, due: max(0, due), at: .now()) else { return }
        setMark()
        guard mark.level > 1, !isMarkWatched, let channel else { return }
        isMarkWatched = true
        let patience = ReceiveMark.patience
        channel.eventLoop.scheduleRepeatedTask(initialDelay: patience, delay: patience) { [weak self] watch in
            guard let self, self.watchMark() else { return watch.cancel() }
        }
    }

    /// False when there is nothing left to watch.
    private func watchMark() -> Bool {
        if mark.looked(at: .now()) { setMark() }
        isMarkWatched = mark.level > 1 && channel != nil
        return isMarkWatched
    }

    /// The least that arrives counts again once the option is 1; that it cannot be set costs speed alone.
    private func setMark() {
        let option = ChannelOptions.Types.SocketOption(level: .socket, name: .init(rawValue: SO_RCVLOWAT))
        try? channel?.syncOptions?.setOption(option, value: .init(mark.level))
    }

    // MARK: - Written bytes

    /// What was taken of a file counts only if the file still is what it was.
    private func flushed(_ bytes: Int, of file: SendableFile, end: Int64) {
        if let trouble = file.trouble(upTo: end) { breakOff(file, trouble) } else { flushed(bytes) }
    }

    private func flushed(_ bytes: Int) {
        pendingBytes -= bytes
        if closesWhenWritten {
            if pendingBytes == 0 { abort() }
            return
        }
        unreportedBytes += bytes
        // Never from inside a flush: with a peer that reads fast, one flush within the other would use up the stack.
        if unreportedBytes == bytes { channel?.eventLoop.execute { [self] in reportWritten() } }
    }

    /// Before any later news of this connection, so that the machine sees cause before effect.
    private func reportWritten() {
        guard unreportedBytes > 0 else { return }
        let bytes = unreportedBytes
        unreportedBytes = 0
        taker?.take(.wrote(id, bytes: bytes))
    }
}

extension NetworkAddress {
    /// Nil for an address that is no internet address.
    fileprivate init?(_ address: SocketAddress) {
        guard let text = address.ipAddress, let port = address.port else { return nil }
        self.init(text: text, port: port)
    }
}
