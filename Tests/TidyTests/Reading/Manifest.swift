/// What Package.swift says of its targets, as far as the rules need it.
struct Manifest: Sendable {
    struct Target: Sendable {
        var name: String
        /// Names of targets and products.
        var dependencies: [String]
        /// Where its files are, with a slash at the end.
        var folder: String
        var isExecutable: Bool
        var line: Int
    }

    static let path = "Package.swift"

    let targets: [Target]
    /// Products of other packages that `let` gives a name.
    private let products: [String: String]

    init(_ text: String) {
        let text = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex)) }
            .joined(separator: "\n")
        let named = text.matches(of: /let ([A-Za-z]+) = Target\.Dependency\.product\(name: "([^"]+)"/)
        let products = Dictionary(named.map { (String($0.1), String($0.2)) }) { first, _ in first }
        self.products = products
        targets = text.matches(of: /\n *(library|tests|\.target|\.executableTarget|\.testTarget)\(/).compactMap {
            call in
            let arguments = Self.upToEnd(text[call.range.upperBound...], "(", ")")
            guard let name = arguments.firstMatch(of: /"([^"]+)"/)?.1 else { return nil }
            let list = arguments.firstMatch(of: call.1.hasPrefix(".") ? /dependencies: \[/ : /\[/)
            let words = list.map { Self.upToEnd(arguments[$0.range.upperBound...], "[", "]") } ?? ""
            let home = call.1 == "tests" || call.1 == ".testTarget" ? "Tests" : "Sources"
            return Target(
                name: String(name),
                dependencies: words.matches(of: /"([^"]+)"|([A-Za-z]+)/).compactMap { word in
                    word.1.map(String.init) ?? word.2.flatMap { products[String($0)] }
                },
                folder: (arguments.firstMatch(of: /path: "([^"]+)"/)?.1).map { "\($0)/" } ?? "\(home)/\(name)/",
                isExecutable: call.1 == ".executableTarget",
                line: text[..<call.range.upperBound].count { $0 == "\n" } + 1)
        }
    }

    /// A module is imported by the name of its target; of some products more than one may be.
    func modules(of dependency: String) -> Set<String> { dependency == "Yams" ? ["Yams", "CYaml"] : [dependency] }

    /// Everything that some target depends on, as modules.
    var knownModules: Set<String> {
        (targets.map(\.name) + products.values).reduce(into: []) { $0.formUnion(modules(of: $1)) }
    }

    /// The text up to the bracket that closes the one before it.
    private static func upToEnd(_ text: Substring, _ open: Character, _ close: Character) -> Substring {
        var depth = 1
        let end = text.firstIndex { character in
            depth += character == open ? 1 : character == close ? -1 : 0
            return depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }
}
