import ClientMachines
import Locks

/// The way to other machines, as a case makes it up: in both worlds.
package final class ScriptedNetworkPaths: Sendable {
    private struct State {
        var path: NetworkPath
        var watchers: [(number: Int, news: @Sendable (NetworkPath) -> Void)] = []
        var last = 0
    }

    private let state: Lock<State>

    package init(_ path: NetworkPath = NetworkPath(through: "online")) { state = Lock(State(path: path)) }

    /// From now on it is this; all who watch hear of it.
    package func set(_ path: NetworkPath) {
        let watchers = state.withLock { state in
            state.path = path
            return state.watchers
        }
        for watcher in watchers { watcher.news(path) }
    }

    /// Tells what it is at once, and whenever it changes until what is returned is let go.
    package func watch(_ news: @escaping @Sendable (NetworkPath) -> Void) -> any Sendable {
        let (path, number) = state.withLock { state in
            state.last += 1
            state.watchers.append((state.last, news))
            return (state.path, state.last)
        }
        news(path)
        return Watch(of: self, number)
    }

    private final class Watch: Sendable {
        private let paths: ScriptedNetworkPaths
        private let number: Int

        init(of paths: ScriptedNetworkPaths, _ number: Int) {
            self.paths = paths
            self.number = number
        }

        deinit { paths.state.withLock { [number] in $0.watchers.removeAll { $0.number == number } } }
    }
}
