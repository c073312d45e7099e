import HTTPBasics
import Judge

/// A worker like `understudy worker`, for the URLSession of the Swift toolchain: sockets only, one case at a time.
@main
enum Reference {
    static func main() {
        if CommandLine.arguments.contains("--version") { return print("understudy-reference \(LibraryVersion.text)") }
        // Before anything else: it is only for a process that has one thread.
        _ = LaneSession.mountedFiles
        let sockets = SocketDriver()
        WorkerLoop.run { _ in ScenarioRunner { try sockets.result(of: $0.cases[$1.row], $1) } }
    }
}
