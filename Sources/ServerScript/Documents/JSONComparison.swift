import HTTPBasics

/// Compares a value of JSON with what a script wants: numbers as numbers, members in any order.
struct JSONComparison {
    static let differenceLimit = 20

    /// Members that are not wanted may be there as well, in the lists' objects too.
    private let allowsMore: Bool
    private var differences: [String] = []

    static func differences(wanted: JSONValue, got: JSONValue, allowsMore: Bool) -> [String] {
        var comparison = JSONComparison(allowsMore: allowsMore)
        comparison.compare(wanted, got, at: "body", isSecret: false)
        return comparison.differences
    }

    private init(allowsMore: Bool) { self.allowsMore = allowsMore }

    private mutating func compare(_ wanted: JSONValue, _ got: JSONValue, at path: String, isSecret: Bool) {
        guard differences.count < JSONComparison.differenceLimit else { return }
        switch (wanted, got) {
        case (.object(let wanted), .object(let got)): compare(members: wanted, got, at: path, isSecret: isSecret)
        case (.list(let wanted), .list(let got)):
            guard wanted.count == got.count else {
                return note("\(path): wanted \(wanted.count.counting("item")), got \(got.count)")
            }
            for (index, pair) in zip(wanted, got).enumerated() {
                compare(pair.0, pair.1, at: "\(path)[\(index)]", isSecret: isSecret)
            }
        default:
            guard wanted != got else { return }
            let (shownWanted, shownGot) = isSecret ? (Secrets.mark, "another value") : (shown(wanted), shown(got))
            note("\(path): wanted \(shownWanted), got \(shownGot)")
        }
    }

    private mutating func compare(
        members wanted: [JSONValue.Member], _ got: [JSONValue.Member], at path: String, isSecret: Bool
    ) {
        let values = Dictionary(got.lazy.map { ($0.name, $0.value) }) { first, _ in first }
        for member in wanted {
            let isHidden = isSecret || Secrets.isSecret(field: member.name)
            let place = "\(path).\(excerpt(member.name))"
            guard let value = values[member.name] else {
                note("\(place): wanted \(isHidden ? Secrets.mark : shown(member.value)), got none")
                continue
            }
            compare(member.value, value, at: place, isSecret: isHidden)
        }
        guard !allowsMore, got.count > 0 else { return }
        let names = Set(wanted.lazy.map(\.name))
        for member in got where !names.contains(member.name) {
            let isHidden = isSecret || Secrets.isSecret(field: member.name)
            note("\(path).\(excerpt(member.name)): wanted none, got \(isHidden ? Secrets.mark : shown(member.value))")
        }
    }

    private func shown(_ value: JSONValue) -> String {
        switch value {
        case .list(let items): "a list of \(items.count)"
        case .object: "an object"
        case .text(let text): quoted(text)
        case .null, .yes, .number: excerpt(value.text)
        }
    }

    private mutating func note(_ text: String) {
        if differences.count < JSONComparison.differenceLimit { differences.append(text) }
    }
}
