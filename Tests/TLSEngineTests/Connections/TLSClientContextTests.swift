import Synchronization
import TLSBasics
import TLSEngine
import Testing

@Suite struct TLSClientContextTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test func aKeyLogHasTheKeysOfTheConnection() throws {
        let lines = Lines()
        let context = try TestContexts.client { line in lines.all.withLock { $0.append(line) } }
        let pair = try TLSPair(context, TestContexts.server())
        pair.run()
        let labels = lines.all.withLock { $0.compactMap { $0.split(separator: " ").first.map(String.init) } }
        #expect(labels.contains("CLIENT_TRAFFIC_SECRET_0"))
    }

    @Test(arguments: ["", String(repeating: "a", count: 256)])
    func aProtocolThatCannotBeSentIsAnError(name: String) {
        #expect(throws: TLSSetupError.unusableProtocol(name)) { try TestContexts.client(protocols: ["h2", name]) }
    }
}
