import ClientMachines
import Locks
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct NegotiationsTests {
    /// Says what it was told.
    private final class Echo: Negotiator {
        func begin(host: String, credential: Credential?) -> any NegotiatorContext {
            Context("\(credential?.user ?? "nobody")@\(host)")
        }

        private final class Context: NegotiatorContext {
            let name: String
            init(_ name: String) { self.name = name }
            func next(_ received: [UInt8]?) -> NegotiateAnswer {
                .token(Array(name.utf8) + (received ?? []))
            }
        }
    }

    private final class Taker: InputTaker {
        private let take: @Sendable (ClientInput) -> Void
        init(_ take: @escaping @Sendable (ClientInput) -> Void) { self.take = take }
        func take(_ input: ClientInput) { take(input) }
        func bytesDue(on id: ConnectionID) -> Int { 0 }
    }

    @Test func `each task has its own, until it ends`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let negotiations = try await loop.submit { Negotiations(Echo(), eventLoop: loop) }.get()
        let task = TaskID(1)
        func answer(_ call: NegotiateCall) async throws -> ClientInput {
            let promise = loop.makePromise(of: ClientInput.self)
            let taker = Taker { promise.succeed($0) }
            loop.execute { negotiations.perform(call, of: task, for: taker) }
            return try await promise.futureResult.get()
        }
        let ann = Credential(user: "ann", password: "s3cret")
        let first = try await answer(NegotiateCall(number: 1, .begin(host: "a.test", ann)))
        #expect(first == .negotiated(task, number: 1, .token(Array("ann@a.test".utf8))))
        let second = try await answer(NegotiateCall(number: 2, .goOn([0x21])))
        // With the proxy of its tunnel something else goes on meanwhile.
        let other = try await answer(NegotiateCall(number: -7, .begin(host: "p.test", nil)))
        #expect(other == .negotiated(task, number: -7, .token(Array("nobody@p.test".utf8))))
        #expect(second == .negotiated(task, number: 2, .token(Array("ann@a.test!".utf8))))
        let third = try await answer(NegotiateCall(number: 3, .goOn([0x3f])))
        #expect(third == .negotiated(task, number: 3, .token(Array("ann@a.test?".utf8))))
        let count = try await loop.submit {
            negotiations.finish(task)
            return negotiations.count
        }.get()
        #expect(count == 0)
    }

    /// With or without Kerberos on this machine: nobody has a ticket for such a host.
    @Test func `the system's has no ticket for a host that is none`() {
        let ticket = SystemGSSAPI.shared.begin(host: "a.invalid", credential: nil)
        #expect([.refused, .absent].contains(ticket.next(nil)))
        #expect([.refused, .absent].contains(ticket.next([1, 2, 3])))
    }
}
