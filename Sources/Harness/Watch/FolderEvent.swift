import Glibc

/// One record of inotify(7): what happened to a name in a watched folder.
struct FolderEvent: Equatable {
    /// The number that `inotify_add_watch` gave to the folder.
    var watch: Int32
    var mask: UInt32
    /// Empty when it is about the folder itself.
    var name: String

    /// Wd, mask, cookie and the length of the name, which is padded with zeros.
    private static let headLength = 16

    /// All records of one read; a torn one at the end, which the kernel never writes, is left out.
    static func all(in bytes: [UInt8]) -> [FolderEvent] {
        var events: [FolderEvent] = []
        var rest = bytes[...]
        while rest.count >= headLength {
            let watch = Int32(truncatingIfNeeded: number(in: rest, at: 0))
            let mask = UInt32(truncatingIfNeeded: number(in: rest, at: 4))
            let length = number(in: rest, at: 12)
            rest = rest.dropFirst(headLength)
            guard length <= rest.count else { break }
            let name = rest.prefix(length).prefix { $0 != 0 }
            events.append(FolderEvent(watch: watch, mask: mask, name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(length)
        }
        return events
    }

    /// Four bytes in the machine's order.
    private static func number(in bytes: ArraySlice<UInt8>, at offset: Int) -> Int {
        bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    func has(_ flags: Int32) -> Bool { mask & UInt32(bitPattern: flags) != 0 }
}
