import NIOCore

/// The fields of a received message, left in the received bytes until someone asks for one.
///
/// Values are decoded as UTF-8 where they are valid UTF-8, else as Latin-1 (BEHAVIOUR 2.F24).
package struct FieldBlock: Hashable, Sendable {
    /// Where one field's name and value lie, as offsets into `bytes`.
    package struct Line: Hashable, Sendable {
        package var name: Range<Int32>
        package var value: Range<Int32>

        package init(name: Range<Int>, value: Range<Int>) {
            self.name = Int32(name.lowerBound)..<Int32(name.upperBound)
            self.value = Int32(value.lowerBound)..<Int32(value.upperBound)
        }
    }

    private var bytes: ByteBuffer
    private var lines: [Line]

    /// `lines` index the readable bytes of `bytes`, counted from 0.
    package init(bytes: ByteBuffer, lines: [Line]) {
        self.bytes = bytes
        self.lines = lines
    }

    package init(_ fields: Fields = Fields()) {
        guard !fields.isEmpty else {
            self.init(bytes: ByteBuffer(), lines: [])
            return
        }
        let length = fields.list.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        var bytes = ByteBufferAllocator().buffer(capacity: length)
        var lines: [Line] = []
        lines.reserveCapacity(fields.list.count)
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { space in
            var end = 0
            func place(_ text: String) -> Range<Int> {
                let start = end
                end += text.utf8.count
                UnsafeMutableRawBufferPointer(rebasing: space[start..<end]).copyBytes(from: text.utf8)
                return start..<end
            }
            for field in fields.list { lines.append(Line(name: place(field.name), value: place(field.value))) }
            return end
        }
        self.init(bytes: bytes, lines: lines)
    }

    package var isEmpty: Bool { lines.isEmpty }
    package var count: Int { lines.count }

    package func name(at index: Int) -> String { text(lines[index].name) }
    package func value(at index: Int) -> String { text(lines[index].value) }

    package func contains(_ name: String) -> Bool { lines.contains { matches($0, name) } }

    package func first(_ name: String) -> String? {
        guard let line = lines.first(where: { matches($0, name) }) else { return nil }
        return text(line.value)
    }

    package func values(_ name: String) -> [String] {
        lines.compactMap { matches($0, name) ? text($0.value) : nil }
    }

    /// All values of that name joined with ", " (BEHAVIOUR 2.F21), nil when there is none.
    package func joined(_ name: String) -> String? {
        guard let index = lines.firstIndex(where: { matches($0, name) }) else { return nil }
        // Mostly there is one, and no list to be made.
        return lines[(index + 1)...].reduce(into: text(lines[index].value)) { joined, line in
            if matches(line, name) { joined += ", " + text(line.value) }
        }
    }

    /// The members of all values of that name, as of one list (RFC 9110 5.3).
    package func members(_ name: String) -> [Substring] { joined(name)?.listMembers ?? [] }

    /// Every field as strings, in the order received.
    package var fields: Fields { Fields(lines.map { Fields.Field(text($0.name), text($0.value)) }) }

    private func matches(_ line: Line, _ name: String) -> Bool {
        guard line.name.count == name.utf8.count else { return false }
        return bytes.withUnsafeReadableBytes { raw in
            var index = Int(line.name.lowerBound)
            for byte in name.utf8 {
                if ASCII.lowercased(raw[index]) != ASCII.lowercased(byte) { return false }
                index += 1
            }
            return true
        }
    }

    private func text(_ range: Range<Int32>) -> String {
        bytes.withUnsafeReadableBytes { raw in
            String(wire: raw[Int(range.lowerBound)..<Int(range.upperBound)])
        }
    }

    package static func == (left: FieldBlock, right: FieldBlock) -> Bool { left.fields == right.fields }
    package func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }
}

/// As `Fields` are: not the bytes, some of which are secrets.
extension FieldBlock: CustomStringConvertible, CustomReflectable {
    package var description: String { fields.list.map(\.description).joined(separator: ", ") }

    package var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.list, displayStyle: .collection) }
}
