import Foundation
import Judge

/// A file with the port of the first host, for those who wait until it is there: it appears whole, and goes with the
/// server.
package final class PortFile: Sendable {
    private let path: String

    package init(_ path: String, port: Int) throws {
        self.path = path
        var known = stat()
        // What is in its place is lost: that is right for the port of an earlier server, and for nothing but a file.
        guard lstat(path, &known) != 0 || known.st_mode & S_IFMT == S_IFREG else {
            throw UsageError("cannot write \(path): what is there is no plain file")
        }
        let draft = "\(path).\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw PortFile.failure(path) }
        let text = Array("\(port)\n".utf8)
        let isWritten = write(descriptor, text, text.count) == text.count
        guard isWritten, close(descriptor) == 0, rename(draft, path) == 0 else {
            let failure = PortFile.failure(path)
            unlink(draft)
            throw failure
        }
    }

    private static func failure(_ path: String) -> UsageError {
        UsageError("cannot write \(path): \(String(cString: strerror(errno)))")
    }

    /// The server listens no more.
    package func remove() { unlink(path) }
}
