import CacheFiles
import Foundation
import HTTPBasics
import NIOCore

/// The file of a stored answer. The first line says what happens to it, in numbers: at which byte it is cut, and from
/// which one the rest of the input lies over it (in thousandths of the file).
enum CacheFileFuzz {
    private static let key = "GET http://a.test/", head = Array("head".utf8)
    private static let now = UnixTime(seconds: 1_000_000_000)

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let numbers = input.firstLine.split(separator: " ").map { Int($0) ?? 0 }
        let path = NSTemporaryDirectory() + "cache-fuzz-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = CacheFolder(path: path, capacity: 1 << 24, readsIndexBehind: false)
        let plain = Array(input.rest.readableBytesView)
        guard let writer = folder.beginEntry(key: key, head: head, at: now) else { return }
        writer.append(input.rest)
        guard let stored = writer.finish() else { throw Violation(description: "it is not stored") }
        try demand(try read(stored, in: folder) ?? [], equals: plain, "what was stored reads otherwise")
        try spoil(path, numbers, plain)
        let again = CacheFolder(path: path, capacity: 1 << 24, readsIndexBehind: false)
        for entry in again.entries(for: key) {
            // An input may happen to have the right checksums only if it is what was there.
            try demand(entry.head, equals: head, "another head")
            if let found = try read(entry, in: again) { try demand(found, equals: plain, "another body") }
            if let renewed = again.replaceHead(of: entry, with: Array(input.firstLine.utf8), at: now) {
                try demand(renewed.head, equals: Array(input.firstLine.utf8), "a new head reads otherwise")
            }
        }
    }

    /// Nil if it is damaged.
    private static func read(_ entry: CacheEntry, in folder: CacheFolder) throws -> [UInt8]? {
        let reader = folder.openBody(of: entry, at: now)
        var bytes: [UInt8] = []
        do throws(CacheTrouble) {
            while let piece = try reader.read(upTo: 1000) { bytes += piece.readableBytesView }
        } catch { return nil }
        return bytes
    }

    private static func spoil(_ path: String, _ numbers: [Int], _ over: [UInt8]) throws {
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        guard let file = files.map({ "\(path)/\($0)" }).first(where: { ($0 as NSString).lastPathComponent.count > 60 }),
            var bytes = FileManager.default.contents(atPath: file).map(Array.init)
        else { return }
        func place(_ number: Int) -> Int { bytes.count * min(max(number, 0), 1000) / 1000 }
        if numbers.count > 1 {
            let start = place(numbers[1])
            for (offset, byte) in over.enumerated() where start + offset < bytes.count { bytes[start + offset] = byte }
        }
        if let cut = numbers.first { bytes = Array(bytes.prefix(place(cut))) }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }
}
