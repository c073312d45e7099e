import Foundation

/// What this process holds of what the system has not much of, to see whether a case leaves some behind.
enum ProcessCount {
    /// Nil where the system does not tell.
    static var descriptors: Int? { entries("/proc/self/fd") }
    static var threads: Int? { entries("/proc/self/task") }

    private static func entries(_ path: String) -> Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.count
    }
}
