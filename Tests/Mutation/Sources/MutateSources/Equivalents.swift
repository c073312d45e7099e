import Foundation

/// Mutants that cannot be noticed, each with the reason: lines of `name | reason`.
struct Equivalents {
    private let reasons: [String: String]

    init(contentsOf file: URL) throws {
        var reasons: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            // The last one: a mutant may have the operator.
            guard let bar = line.range(of: " | ", options: .backwards) else {
                throw Complaint("\(file.path): no reason in '\(line)'")
            }
            reasons[String(line[..<bar.lowerBound])] = String(line[bar.upperBound...])
        }
        self.reasons = reasons
    }

    func contains(_ mutant: Mutant) -> Bool { reasons[mutant.name] != nil }

    /// Entries that name no mutant, or one that is killed: they must go.
    func wrong(among mutants: [Mutant], killed: Set<Int>) -> [String] {
        let present = Dictionary(mutants.map { ($0.name, $0.number) }) { first, _ in first }
        return reasons.keys.sorted().compactMap { name in
            guard let number = present[name] else { return "not a mutant: \(name)" }
            return killed.contains(number) ? "not equivalent, it is killed: \(name)" : nil
        }
    }
}
