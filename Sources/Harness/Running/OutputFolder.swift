import Foundation
import Judge

/// A folder that a run will write into.
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

    private static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(cause.code)))
    }
}
