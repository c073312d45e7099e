import NIOCore
import NIOPosix
import ServerScript

/// How one scope of a shared server stands.
package struct ScopeSummary: Sendable {
    /// Empty for the one of requests that name none.
    package let name: String
    package let requestCount: Int
    package let violationCount: Int
    package let isUnderWay: Bool
    package let isExhausted: Bool
    package let isFrozen: Bool
}

/// What became of an order.
package enum OrderResult: Sendable {
    case done
    /// There is no room for a scope of that name.
    case full
    /// There is no script at that place.
    case nowhere
    /// A script is in place whose load began later.
    case overtaken
    /// No answer there awaits the signal; these are awaited.
    case unawaited(String, awaited: [String])
}

/// The journal of a scope's round, as far as it is remembered.
package struct RetainedJournal: Sendable {
    package let events: [ServerEvent]
    /// For each event that of the exchange in the round, from 1; 0 for one that is about none.
    package let numbers: [Int]
    package let forgottenRequests: Int
}

/// What a control interface asks and wants of a server that is shared. Nil for a scope is for all of them, where it may
/// be nil.
extension ScriptedServer {
    /// The number of a load that begins now, for `ScriptOrder.replace`; on any thread.
    package func loadTicket() -> Int {
        loads.withLock { count in
            count += 1
            return count
        }
    }

    /// - Throws: `ScriptedServerError` if another script could not be served.
    package func order(_ order: ScriptOrder, in scope: String?) async throws -> OrderResult {
        var order = order
        if case .replace(let script, let ticket) = order {
            order = .replace(try await script.readyToServe(), ticket: ticket)
        }
        return try await onLoop { [order] in $0.order(order, in: scope) }
    }

    package func scopes() async throws -> [ScopeSummary] { try await onLoop { $0.scopes() } }

    /// Nil for a scope that there is not.
    package func verdict(of scope: String) async throws -> Verdict? { try await onLoop { $0.verdict(of: scope) } }

    /// Nil for a scope that there is not.
    package func journal(of scope: String) async throws -> RetainedJournal? {
        try await onLoop { $0.record(of: scope)?.snapshot.retained }
    }

    /// How new connections are read, whichever scope their requests name.
    package func reading() async throws -> Reading { try await onLoop { $0.reading } }

    /// Waits until the scope's round has had `count` such entries, those among them that came before, or until the
    /// task is cancelled.
    package func waitForEvent(
        _ count: Int, in scope: String, atMost span: Duration,
        where matches: @escaping @Sendable (ServerEvent) -> Bool
    ) async throws -> EventWait {
        let watch = EventWatch(count, in: scope, eventLoop.makePromise(of: EventWait.self), where: matches)
        return try await withTaskCancellationHandler {
            try await afterLoop { world in
                world.watch(watch, atMost: TimeAmount(span))
                return watch.promise.futureResult
            }
        } onCancel: {
            eventLoop.execute { [world] in world.end(watch, because: .cancelled) }
        }
    }

    /// Why another script cannot take this one's place while the server runs; nil if it can. Listening sockets, their
    /// certificates and what they do before a request stay as they are.
    package func objection(to script: Script, at scope: String? = nil) -> String? {
        if let scope, scope.utf8.first == UInt8(ascii: "/") { return ScriptMount.objection(to: script, at: scope) }
        if script.hosts != self.script.hosts {
            return
                "its hosts are \(script.hosts.joined(separator: ", ")), not \(self.script.hosts.joined(separator: ", "))"
        }
        if script.tls != self.script.tls { return "the TLS of its hosts is another" }
        if script.proxies != self.script.proxies { return "its proxies are others" }
        if script.listenFaults != self.script.listenFaults { return "its faults at listen are others" }
        return scope?.isEmpty == false ? ScriptMount.objectionToConnections(of: script) : nil
    }
}

extension Script {
    /// With its bodies compressed, on a thread where nobody waits for anything else.
    ///
    /// - Parameter place: Of one among several.
    /// - Throws: `ScriptedServerError` if they are too large.
    func readyToServe(at place: String = "") async throws -> Script {
        guard hasCompressedBodies else { return self }
        guard let script = try await NIOThreadPool.singleton.runIfActive({ compressingBodies() }) else {
            let sizes = "\(Script.compressibleLimit >> 20) MiB before, or \(Script.compressedLimit >> 20) MiB after"
            throw ScriptedServerError(
                "\(place.isEmpty ? "" : "\(place): ")the bodies that the script compresses come to more than \(sizes), "
                    + "or one of them to more than \(Content.compressedLimit >> 20) MiB")
        }
        return script
    }
}
