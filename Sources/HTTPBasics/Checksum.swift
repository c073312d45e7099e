/// FNV-1a with 64 bits, fed piece by piece: tells bytes apart that are not kept, and finds damage. No help against
/// malice.
package struct Checksum: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var hash = value
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        value = hash
    }
}
