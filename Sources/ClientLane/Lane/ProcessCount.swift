import Foundation

/// What this process holds of what the system has not much of, to see whether a case leaves some behind.
enum ProcessCount {
    /// Nil where the system does not tell.
    static var descriptors: Int? { entries("/proc/self/fd") }
    static var threads: Int? { entries("/proc/self/task") }

    /// Whether a file in the folder is open.
    static func hasOpenFile(in folder: String) -> Bool {
        let place = "/proc/self/fd", files = FileManager.default
        // As the system names it.
        let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        return ((try? files.contentsOfDirectory(atPath: place)) ?? []).contains { name in
            (try? files.destinationOfSymbolicLink(atPath: "\(place)/\(name)"))?.hasPrefix(folder + "/") == true
        }
    }

    private static func entries(_ path: String) -> Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.count
    }
}
