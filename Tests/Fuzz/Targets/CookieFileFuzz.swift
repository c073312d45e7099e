import ClientMachines
import HTTPBasics
import NIOCore

/// The file of a storage of cookies: as it is, and once more as the lines of a file that is whole.
enum CookieFileFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let bytes = Array(bytes.readableBytesView)
        try checkWriting(bytes)
        let lines = bytes.split(separator: 10)
        var text = Array("understudy cookies 1\n".utf8)
        for line in lines { text += line + [10] }
        var sum = Checksum()
        text.withUnsafeBytes { sum.update($0) }
        try checkWriting(text + "end \(lines.count) \(String(sum.value, radix: 16))\n".utf8)
    }

    /// What was read is written so that it reads the same.
    private static func checkWriting(_ bytes: [UInt8]) throws {
        guard let entries = CookieFileText.entries(in: bytes) else { return }
        let again = CookieFileText.entries(in: CookieFileText.text(of: entries))
        try demand(again, equals: entries, "other cookies")
        var jar = CookieJar()
        for entry in entries { jar.merge(entry) }
        try demand(jar.count <= entries.count, "more cookies than there were")
    }
}
