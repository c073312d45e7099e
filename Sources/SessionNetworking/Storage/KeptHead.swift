#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// What stands beside a body on disk: all that is known of an answer, and the URL that its caller asked for.
///
/// The first byte is the version; numbers are little-endian, texts are UTF-8 behind their length. What cannot be read
/// to its end, or has more behind it, is none.
package struct KeptHead: Hashable, Sendable {
    package var record: StoredResponse
    package var url: String

    private static let version: UInt8 = 1

    package init(_ record: StoredResponse, url: String) { (self.record, self.url) = (record, url) }

    package var bytes: [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeInteger(Self.version)
        bytes.write(text: url)
        bytes.write(number: record.status)
        bytes.write(number: record.fields.list.count)
        for field in record.fields.list {
            bytes.write(text: field.name)
            bytes.write(text: field.value)
        }
        bytes.writeInteger(record.asked.seconds, endianness: .little)
        bytes.writeInteger(record.received.seconds, endianness: .little)
        bytes.writeInteger(record.isProtected ? 1 : 0, as: UInt8.self)
        let variant = record.variant.values.sorted { $0.key < $1.key }
        bytes.write(number: variant.count)
        for (name, value) in variant {
            bytes.write(text: name)
            bytes.writeInteger(value == nil ? 0 : 1, as: UInt8.self)
            bytes.write(text: value ?? "")
        }
        return Array(bytes.readableBytesView)
    }

    package init?(_ bytes: [UInt8]) {
        var rest = ByteBuffer(bytes: bytes)
        guard rest.readInteger(as: UInt8.self) == Self.version, let url = rest.readText(),
            let status = rest.readNumber(), let fields = rest.readFields(),
            let asked = rest.readInteger(endianness: .little, as: Int64.self),
            let received = rest.readInteger(endianness: .little, as: Int64.self),
            let isProtected = rest.readInteger(as: UInt8.self), isProtected <= 1, let variant = rest.readVariant(),
            rest.readableBytes == 0
        else { return nil }
        record = StoredResponse(
            status: status, fields: fields, asked: UnixTime(seconds: asked), received: UnixTime(seconds: received),
            variant: variant)
        record.isProtected = isProtected == 1
        self.url = url
    }
}

extension ByteBuffer {
    fileprivate mutating func write(number: Int) {
        writeInteger(UInt32(truncatingIfNeeded: number), endianness: .little)
    }

    fileprivate mutating func write(text: String) {
        write(number: text.utf8.count)
        writeString(text)
    }

    fileprivate mutating func readNumber() -> Int? { readInteger(endianness: .little, as: UInt32.self).map(Int.init) }

    fileprivate mutating func readText() -> String? {
        guard let count = readNumber(), let bytes = readBytes(length: count) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    fileprivate mutating func readFields() -> Fields? {
        guard let count = readNumber() else { return nil }
        var fields = Fields()
        // Ends with the bytes, whatever the number says.
        for _ in 0..<count {
            guard let name = readText(), let value = readText() else { return nil }
            fields.append(name, value)
        }
        return fields
    }

    fileprivate mutating func readVariant() -> Variant? {
        guard let count = readNumber() else { return nil }
        var values: [String: String?] = [:]
        for _ in 0..<count {
            guard let name = readText(), let isThere = readInteger(as: UInt8.self), isThere <= 1, let value = readText()
            else { return nil }
            values[name] = .some(isThere == 1 ? value : nil)
        }
        return values.count == count ? Variant(values: values) : nil
    }
}
#endif
