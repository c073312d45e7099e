import Glibc
import Locks

/// The file that `SSLKEYLOGFILE` names, in NSS's format: with its secrets a recording of the traffic can be read.
/// Written only when the user has set the variable; readable by the user alone.
package final class KeyLogFile: Sendable {
    /// For the whole process; nil when the variable is not set, or its file cannot be opened.
    package static let named = KeyLogFile(path: getenv("SSLKEYLOGFILE").map { String(cString: $0) })

    /// -1 once it cannot be written any more.
    private let descriptor: Lock<CInt>

    init?(path: String?) {
        guard let path, !path.isEmpty else { return nil }
        // A FIFO that nobody reads would keep us waiting for one who does.
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard opened >= 0 else { return nil }
        descriptor = Lock(opened)
    }

    deinit { descriptor.withLock { _ = close($0) } }

    static var writer: (@Sendable (String) -> Void)? {
        guard let named else { return nil }
        return { named.write($0) }
    }

    /// One line, whole: several processes may write to the file.
    package func write(_ line: String) {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            var text = line + "\n"
            let count = text.utf8.count
            let written = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written != count else { return }
            close(descriptor)
            descriptor = -1
        }
    }
}

extension SessionTLS.Surroundings {
    /// The system's randomness and trust store.
    package static let system = SessionTLS.Surroundings(library: .system, store: .system, keyLog: KeyLogFile.writer)
}
