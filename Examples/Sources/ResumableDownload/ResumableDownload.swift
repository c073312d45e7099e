import Foundation
import SessionNetworking

/// Downloads a file, however often it is killed: `resumable-download URL FILE`.
///
/// Beside the file it keeps `FILE.resume`, from which the next start goes on. The library writes nothing by itself that
/// outlives a process: to survive a kill, a program asks for resume data now and then, and saves it, in one step and
/// with mode 0600: it holds the URL and the fields of the request, and so all secrets in them.
@main
struct ResumableDownload {
    /// How much may have to be fetched again after a kill.
    static let stretch: Int64 = 4 << 20

    static func main() async throws {
        // What this program creates is its user's alone, from the moment that it is there.
        umask(0o077)
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2, let text = words.first, let url = URL(string: text), let path = words.last else {
            FileHandle.standardError.write(Data("usage: resumable-download URL FILE\n".utf8))
            exit(2)
        }
        let file = URL(fileURLWithPath: path), ticket = URL(fileURLWithPath: path + ".resume")
        if !FileManager.default.fileExists(atPath: file.path) {
            try await load(url, into: file, ticket)
        }
        try? FileManager.default.removeItem(at: ticket)
    }

    private static func load(_ url: URL, into file: URL, _ ticket: URL) async throws {
        let watcher = Watcher(stretch, file)
        let session = URLSession(configuration: .default, delegate: watcher, delegateQueue: nil)
        var pauses = true
        while true {
            let saved = try? Data(contentsOf: ticket)
            let task = saved.map { session.downloadTask(withResumeData: $0) } ?? session.downloadTask(with: url)
            switch await watcher.end(of: task, pausing: pauses) {
            case .finished: return
            case .paused(let resumeData?): try resumeData.write(to: ticket, options: .atomic)
            // Nothing to go on from: the server's file cannot be continued, so it has to come in one piece.
            case .paused(nil):
                try? FileManager.default.removeItem(at: ticket)
                pauses = false
            case .failed(let error):
                if let resumeData = (error as? URLError)?.downloadTaskResumeData {
                    try resumeData.write(to: ticket, options: .atomic)
                    throw error
                }
                // Resume data that fits nothing any more: from the beginning, once.
                guard saved != nil else { throw error }
                try? FileManager.default.removeItem(at: ticket)
            }
        }
    }
}
