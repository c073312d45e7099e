import NIOCore
import ServerScript
import Testing

@testable import ScriptedServer

@Suite struct WireTraceTests {
    @Test func `the newest connections are kept`() {
        let trace = WireTrace(mostPeers: 2)
        let conversations = (0..<3).map { number in
            let conversation = trace.accepted(PeerID(number), host: "a.test")
            conversation.received(ByteBuffer(string: "GET"))
            conversation.sent(ByteBuffer(string: "HTTP"))
            return conversation
        }
        let snapshot = trace.snapshot()
        #expect(snapshot.map(\.peer) == [PeerID(1), PeerID(2)])
        #expect(snapshot.allSatisfy { $0.pieces.map(\.direction) == [.received, .sent] })
        conversations[0].sent(ByteBuffer(string: "late"))
        #expect(trace.snapshot().count == 2)
    }
}
