import Foundation
import Glibc

/// What the process has of what must not grow.
struct Footprint: CustomStringConvertible {
    var memory: Int
    var threads: Int
    var descriptors: Int

    /// Once what is on its way out has gone: the least of each within `patience`, or as soon as it is little enough.
    static func settled(patience: TimeInterval = 3, isEnough: (Footprint) -> Bool) -> Footprint {
        let end = Date().addingTimeInterval(patience)
        var least = now
        while Date() < end, !isEnough(least) {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.05)
            let next = now
            least.memory = min(least.memory, next.memory)
            least.threads = min(least.threads, next.threads)
            least.descriptors = min(least.descriptors, next.descriptors)
        }
        return least
    }

    private static var now: Footprint {
        Footprint(
            memory: residentBytes, threads: entries(of: "/proc/self/task"), descriptors: entries(of: "/proc/self/fd"))
    }

    private static var residentBytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { Int($0[1]) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func entries(of folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
    }

    /// What has grown since `earlier`, in words. A leak of 200 bytes a session shows in 100,000, one of a thread or a
    /// descriptor in far fewer; the rest is how allocators and thread pools breathe.
    func growth(since earlier: Footprint, judgesMemory: Bool) -> [String] {
        var grown: [String] = []
        if threads > earlier.threads + 8 { grown.append("threads") }
        if descriptors > earlier.descriptors + 8 { grown.append("descriptors") }
        if judgesMemory, memory > earlier.memory + 8 << 20 { grown.append("memory") }
        return grown
    }

    var description: String { "\(memory >> 10) KiB, \(threads) threads, \(descriptors) descriptors" }
}
