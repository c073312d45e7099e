/// Which targets a request may have, worked out from how a script writes them.
package enum TargetRule: Hashable {
    case any
    case exactly(String)
    /// Any target that begins so.
    case beginning(String)
    case pattern(PathPattern)

    init(_ target: String?) {
        if let target {
            if let pattern = PathPattern(target) {
                self = .pattern(pattern)
            } else if target.utf8.last == UInt8(ascii: "*") {
                self = .beginning(String(target.dropLast()))
            } else {
                self = .exactly(target)
            }
        } else {
            self = .any
        }
    }

    /// Compared as sent.
    ///
    /// - Parameter anyQuery: The query is judged elsewhere: only the path is compared.
    package func matches(_ target: String, anyQuery: Bool = false) -> Bool {
        switch self {
        case .any: true
        case .exactly(let wanted): anyQuery ? PathPattern.divided(target).path == wanted : target == wanted
        case .beginning(let wanted): target.utf8.starts(with: wanted.utf8)
        case .pattern(let pattern): pattern.matches(target, anyQuery: anyQuery)
        }
    }
}

extension RequestMatch {
    package var targetRule: TargetRule { TargetRule(target) }

    /// Whether a request may have this target, as far as its path and, where the script has one, its query tell.
    package func takes(target: String) -> Bool { targetRule.matches(target, anyQuery: query != nil) }

    /// In the order of the path.
    package var captureNames: [String] { target.flatMap(PathPattern.init)?.names ?? [] }
}
