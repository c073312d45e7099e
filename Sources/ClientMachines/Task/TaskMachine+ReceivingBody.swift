import HTTPBasics
import Inflate
import MachineContract
import NIOCore

/// Stage `receivingBody`: from the final head to the body's last byte.
extension TaskMachine {
    /// What one call to the user carries at most when bytes come out of a decoder.
    private static let pieceBytes = 64 * 1024
    private static let wrongLength = "The rest of the file is not as long as its head said."

    /// A slow user or a slow disk: nothing more is taken from the connection until they have caught up.
    var isHeldBack: Bool {
        guard plan.hasWindow else { return false }
        return (download?.waiting ?? undelivered) >= settings.deliveryWindow
    }

    /// The head is final: the user learns of it, then the body may come.
    func deliverResponse(_ turn: inout Turn) {
        if let supplied = attempt.supplied { return deliver(supplied, &turn) }
        guard let head = attempt.head else { return turn.outputs.append(.bug("no head to deliver")) }
        attempt.decoder = ContentDecoder(for: head, method: request.method, settings.codings)
        let response = makeResponse(head, length: attempt.decoder == nil ? attempt.bodyLength : nil)
        log?.answered(response)
        resumable?.end()
        collect(head, &turn)
        deliver(response, &turn)
    }

    func deliver(_ response: Response, _ turn: inout Turn) {
        switch plan.kind {
        case .data:
            if plan.asks.contains(.response) { return askAboutResponse(response, &turn) }
            turn.outputs.append(.tell(.response(response)))
            receiveBody(&turn)
        case .download:
            openFile(for: response, &turn)
        }
    }

    func receiveBody(_ turn: inout Turn) {
        stage = .receivingBody
        timeouts.startWaiting(at: turn.now)
        if plan.collectsBody, let length = promisedLength, length.bounded(by: settings.collectedBytes) == nil {
            return interrupt(.failed(.dataLengthExceedsMaximum, .caller, tooLong), &turn)
        }
        if attempt.bodyEnded { pump(&turn) }
    }

    /// How many bytes are to be collected, where the head says so. One of a head that no body follows says nothing.
    private var promisedLength: DeclaredLength? {
        guard let head = attempt.head, request.method != "HEAD", head.status != 204, head.status != 304 else {
            return nil
        }
        return attempt.supplied?.expectedLength ?? (attempt.decoder == nil ? attempt.bodyLength : nil)
    }

    /// With the remedy (BEHAVIOUR 1.B3-limit).
    private var tooLong: String {
        "The body has more than \(settings.collectedBytes) bytes, the limit for bodies that are kept in memory. "
            + "A delegate, bytes(for:) or a download takes a body of any length."
    }

    func receivedBodyEvent(_ event: ResponseEvent, _ turn: inout Turn) {
        switch event {
        case .body(let bytes):
            if let download, !attempt.discardsBody, download.isOverfull(by: bytes.readableBytes) {
                // Nothing of the rest is to be trusted then.
                self.download?.canResume = false
                resuming = nil
                return interrupt(.failed(.cannotParseResponse, .peer, Self.wrongLength), &turn)
            }
            if attempt.decoder == nil { take(bytes, &turn) } else { attempt.decoder?.feed(bytes) }
            pump(&turn)
        case .end:
            attempt.bodyEnded = true
            log?.responseEnded()
            if attempt.body.isWritten { turn.outputs.append(.release) } else { abandon(&turn) }
            pump(&turn)
        case .failed(let failure):
            interrupt(.failed(failure.kind, failure.blame, failure.detail), &turn)
        case .informational, .head:
            turn.outputs.append(.bug("a second head in one exchange"))
        }
    }

    /// Moves on what was received: out of the decoder, to the user or the file, and past the end.
    func pump(_ turn: inout Turn) {
        guard stage == .receivingBody, !isSuspended else { return }
        do throws(InflateError) {
            while !isHeldBack, let piece = try nextDecodedPiece() {
                take(piece, &turn)
            }
            if isOverLimit {
                return interrupt(.failed(.dataLengthExceedsMaximum, .caller, tooLong), &turn)
            }
            // What is left in the decoder after a turn has its turn yet.
            if attempt.bodyEnded, !isHeldBack, attempt.decoder == nil || !budget.isUsedUp {
                if let error = attempt.decoder?.finish() {
                    return interrupt(.undecodable(error), &turn)
                }
                return endBody(&turn)
            }
        } catch {
            return interrupt(.undecodable(error), &turn)
        }
        // Nor is the peer to blame for the time that decoding takes.
        if isHeldBack || budget.isUsedUp { timeouts.stopWaiting() } else { timeouts.startWaiting(at: turn.now) }
    }

    private func nextDecodedPiece() throws(InflateError) -> ByteBuffer? {
        guard let decoder = attempt.decoder else { return nil }
        // On a copy: while a decoder works on the machine's own, each access to that is checked when it runs.
        var left = budget
        defer { budget = left }
        return try decoder.next(maxBytes: Self.pieceBytes, budget: &left)
    }

    private var isOverLimit: Bool { plan.collectsBody && collected > settings.collectedBytes }

    private func take(_ bytes: ByteBuffer, _ turn: inout Turn) {
        guard !attempt.discardsBody else { return }
        log?.delivered(bytes.readableBytes)
        let charge = settings.window.charge(for: bytes.readableBytes)
        if download != nil {
            download?.handed += Int64(bytes.readableBytes)
            download?.waiting += charge
            turn.outputs.append(.file(.write(bytes)))
        } else {
            if plan.collectsBody {
                collected += Int64(bytes.readableBytes)
                if isOverLimit { return }
            }
            if plan.hasWindow { undelivered += charge }
            turn.outputs.append(.tell(.data(bytes)))
        }
    }

    /// Two pieces have become one, which counts as less.
    func merged(_ former: Int, _ later: Int) {
        let window = settings.window
        let less = window.charge(for: former) + window.charge(for: later) - window.charge(for: former + later)
        if download != nil { download?.waiting -= less } else { undelivered = max(0, undelivered - less) }
    }

    func delivered(_ bytes: Int, _ turn: inout Turn) {
        undelivered = max(0, undelivered - bytes)
        pump(&turn)
    }

    private func endBody(_ turn: inout Turn) {
        timeouts.stopWaiting()
        guard let download else { return keepCollected(&turn) ? () : finish(nil, &turn) }
        if !attempt.discardsBody, download.isShort {
            return interrupt(.failed(.networkConnectionLost, .peer, Self.wrongLength), &turn)
        }
        closeWhole(download, &turn)
    }
}
