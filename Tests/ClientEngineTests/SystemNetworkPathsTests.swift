import ClientMachines
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct SystemNetworkPathsTests {
    // BEHAVIOUR 1.B16-watch
    @Test func `who watches is told at once how it is`() async {
        let (paths, told) = AsyncStream.makeStream(of: NetworkPath.self)
        let watch = SystemNetworkPaths.shared.watch { told.yield($0) }
        var first: NetworkPath?
        for await path in paths {
            first = path
            break
        }
        #expect(first == SystemNetworkPaths.path(InterfaceKinds("")))
        withExtendedLifetime(watch) {}
    }
}
