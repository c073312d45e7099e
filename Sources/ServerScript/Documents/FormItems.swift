import HTTPBasics

/// Names with values as queries and forms have them: `a=1&b=two+words`, percent-decoded, a plus for a blank.
package struct FormItems: Sendable {
    /// More are not read.
    package static let limit = 1000

    package private(set) var list: [(name: String, value: String)] = []

    package init(_ text: some StringProtocol) {
        for item in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard list.count < FormItems.limit else { return }
            let name = item.prefix { $0 != ASCII.equals }
            list.append((FormItems.decoded(name), FormItems.decoded(item.dropFirst(name.count + 1))))
        }
    }

    /// Of a target, what stands behind its question mark.
    package init(queryOf target: String) {
        self.init(PathPattern.divided(target).query?.dropFirst() ?? "")
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "+")) else {
            return PercentEncoding.decoded(String(decoding: bytes, as: UTF8.self))
        }
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? ASCII.space : $0 }
        return PercentEncoding.decoded(String(decoding: blanks, as: UTF8.self))
    }

    package func values(_ name: String) -> [String] { list.filter { $0.name == name }.map(\.value) }
}
