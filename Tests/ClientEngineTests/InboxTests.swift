import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct InboxTests {
    private struct Letter: Equatable, Sendable {
        var sender: Int
        var number: Int
    }

    @Test func `everything owes a call until the first call, which is the only one`() {
        let inbox = Inbox<Int>()
        var taken: [Int] = []
        #expect(!inbox.call(), "nothing waits")
        #expect(inbox.put(1))
        #expect(inbox.put(2), "the loop does not know yet")
        #expect(inbox.call())
        #expect(!inbox.put(3), "it is on its way")
        #expect(!inbox.call())
        #expect(inbox.takeAll(into: &taken, isCalled: false))
        #expect(taken == [1, 2, 3])
        #expect(!inbox.put(4), "it is still on its way")
        #expect(inbox.takeAll(into: &taken, isCalled: true))
        #expect(taken == [4])
        #expect(!inbox.takeAll(into: &taken, isCalled: true))
        #expect(taken.isEmpty)
        #expect(!inbox.call())
        #expect(inbox.put(5))
        #expect(inbox.call())
        #expect(inbox.takeAll(into: &taken, isCalled: true))
        #expect(taken == [5])
    }

    @Test func `inputs of many threads keep the order of each, and every wake-up finds some`() async throws {
        let (senders, letters) = (8, 5000)
        let inbox = Inbox<Letter>()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let received = Received()
        await withTaskGroup { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<letters
                    where inbox.put(Letter(sender: sender, number: number)) && inbox.call() {
                        loop.execute { received.take(from: inbox) }
                    }
                }
            }
        }
        // Every wake-up was queued before this one.
        let (all, emptyWakes) = try await loop.run { (received.all, received.emptyWakes) }
        #expect(all.count == senders * letters)
        #expect(emptyWakes == 0)
        for sender in 0..<senders {
            #expect(all.filter { $0.sender == sender }.map(\.number) == Array(0..<letters))
        }
    }

    private final class Received: @unchecked Sendable {  // Safety: touched on one event loop only.
        var all: [Letter] = []
        var emptyWakes = 0
        private var batch: [Letter] = []

        func take(from inbox: Inbox<Letter>) {
            if !inbox.takeAll(into: &batch, isCalled: true) { emptyWakes += 1 }
            all += batch
        }
    }
}
