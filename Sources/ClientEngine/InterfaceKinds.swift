import ClientMachines
import HTTPBasics

/// What interfaces cost, by the setting `UNDERSTUDY_NETWORKS`: entries such as `wlan0=expensive constrained`, separated
/// by semicolons. A name may end with `*`. Words are `cellular`, `expensive`, `constrained`, and `plain` for none of
/// these.
package struct InterfaceKinds {
    private struct Entry {
        let name: Substring
        let words: [Substring]

        func fits(_ interface: String) -> Bool {
            name.hasSuffix("*") ? interface.hasPrefix(name.dropLast()) : interface == name
        }
    }

    private let entries: [Entry]

    private static let words: Set<Substring> = ["cellular", "expensive", "constrained", "plain"]

    /// What cannot be read is passed over: an entry with an unknown word, too, which may have been meant to forbid.
    ///
    /// Divided by bytes: what combines with a separator does not hide it.
    package init(_ setting: String) {
        entries = setting.utf8.split(separator: ASCII.semicolon).compactMap { text in
            let sides = text.split(separator: ASCII.equals, maxSplits: 1)
            guard sides.count == 2 else { return nil }
            let names = sides[0].split(separator: ASCII.space).map { Substring($0) }
            let words = sides[1].split { $0 == ASCII.space || $0 == ASCII.comma }.map { Substring($0) }
            guard names.count == 1, !words.isEmpty, words.allSatisfy(Self.words.contains) else { return nil }
            return Entry(name: names[0], words: words)
        }
    }

    /// - Parameter isCellular: What the kernel says; a cellular network counts as expensive, as on Apple's systems.
    package func path(through interface: String, isCellular: Bool) -> NetworkPath {
        guard let words = entries.first(where: { $0.fits(interface) })?.words else {
            return NetworkPath(through: interface, isCellular: isCellular, isExpensive: isCellular)
        }
        let isCellular = words.contains("cellular")
        return NetworkPath(
            through: interface, isCellular: isCellular, isExpensive: isCellular || words.contains("expensive"),
            isConstrained: words.contains("constrained"))
    }
}
