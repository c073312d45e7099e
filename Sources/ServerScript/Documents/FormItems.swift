import HTTPBasics

/// Names with values as queries and forms have them: `a=1&b=two+words`, percent-decoded, a plus for a blank.
package struct FormItems: Sendable {
    /// More are not read.
    package static let limit = 1000

    package private(set) var list: [(name: String, value: String)] = []

    package init(_ text: some StringProtocol) {
        var text = Substring(text)
        text.withUTF8 { read($0[...]) }
    }

    /// Of a target, what stands behind its question mark.
    package init(queryOf target: String) {
        var target = target
        target.withUTF8 { bytes in
            if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) { read(bytes[(mark + 1)...]) }
        }
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) {
        var left = bytes
        while !left.isEmpty, list.count < FormItems.limit {
            let item = left.prefix { $0 != UInt8(ascii: "&") }
            left = left.dropFirst(item.count + 1)
            if item.isEmpty { continue }
            let name = item.prefix { $0 != ASCII.equals }
            list.append((FormItems.decoded(name), FormItems.decoded(item.dropFirst(name.count + 1))))
        }
    }

    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> String {
        guard bytes.contains(UInt8(ascii: "+")) else { return PercentEncoding.decoded(bytes) }
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? ASCII.space : $0 }
        return blanks.withUnsafeBufferPointer { PercentEncoding.decoded($0[...]) }
    }

    package func values(_ name: String) -> [String] { list.filter { $0.name == name }.map(\.value) }

    func first(_ name: String) -> String? { list.first { $0.name == name }?.value }
}
