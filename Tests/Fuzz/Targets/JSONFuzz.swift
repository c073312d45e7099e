import NIOCore
import ServerScript

/// The scripted server's reader of JSON: what is read is written again, and read again the same.
enum JSONFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        guard let value = try? JSONReader.read(Array(bytes.readableBytesView)) else { return }
        let again = try? JSONReader.read(Array(value.text.utf8))
        try demand(again, equals: value, "JSON written again reads differently")
        let rule = RequestMatch.BodyRule.json(value)
        try demand(
            rule.differences(in: Array(bytes.readableBytesView)).isEmpty, "a value of JSON is not equal to itself")
        let subset = RequestMatch.BodyRule.jsonSubset(value)
        try demand(subset.differences(in: Array(value.text.utf8)).isEmpty, "a value of JSON is not a part of itself")
    }
}
