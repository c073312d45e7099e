import ClientMachines
import Locks
import Testing

@testable import Simulator

@Suite struct ScriptedNetworkPathsTests {
    @Test func `who watches hears how it is and of each change, until it lets go`() {
        let online = NetworkPath(through: "a")
        let paths = ScriptedNetworkPaths(.offline), heard = Lock<[NetworkPath]>([])
        var watch: (any Sendable)? = paths.watch { path in heard.withLock { $0.append(path) } }
        paths.set(online)
        #expect(heard.withLock { $0 } == [.offline, online])
        withExtendedLifetime(watch) {}
        watch = nil
        paths.set(.offline)
        #expect(heard.withLock { $0 } == [.offline, online])
    }
}
