import Foundation
import Judge

/// A folder that a run writes into, and the files in it.
enum OutputFolder {
    /// Makes the folder, and tries it out: that nothing can be written is known before anything is played.
    ///
    /// - Throws: `UsageError` with the system's reason.
    static func prepare(_ path: String, for purpose: String) throws {
        let probe = "\(path)/.probe-\(getpid())"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: probe) }
            // With a byte in it: a full disk still takes empty files.
            try Data([0]).write(to: URL(fileURLWithPath: probe))
        } catch {
            throw UsageError("cannot write into the \(purpose) folder '\(path)': \(reason(error))")
        }
    }

    /// Written beside and renamed: a reader sees the old file or the new one, never half of one. Folders on the way are
    /// made.
    ///
    /// - Throws: `InternalError` with the system's reason.
    static func write(_ data: Data, to path: String) throws {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let beside = "\(path).\(getpid()).new"
            defer { unlink(beside) }
            try data.write(to: URL(fileURLWithPath: beside))
            guard rename(beside, path) == 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        } catch {
            throw InternalError("cannot write '\(path)': \(reason(error))")
        }
    }

    /// The system's words for what went wrong.
    static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(cause.code)))
    }
}
