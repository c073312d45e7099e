import ClientMachines

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
    package init(_ setting: String) {
        entries = setting.split(separator: ";").compactMap { text in
            let sides = text.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            let names = sides[0].split(separator: " ")
            let words = sides[1].split { $0 == " " || $0 == "," }
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
