import Digests
import HTTPBasics
import NIOCore

/// Judges a request's body by what it says, once all of it is there.
struct DocumentCheck {
    /// Of a body that has to be held as a whole.
    static let limit = 1 << 20

    private let rule: RequestMatch.BodyRule
    private var bytes: [UInt8] = []
    private var count = 0
    private var digest: RunningHash?

    init(_ rule: RequestMatch.BodyRule) {
        self.rule = rule
        if case .sha256 = rule { digest = RunningHash(.sha256) }
    }

    mutating func take(_ buffer: ByteBuffer) {
        count += buffer.readableBytes
        if let digest {
            buffer.withUnsafeReadableBytes { digest.update($0) }
        } else if count <= DocumentCheck.limit {
            bytes.append(contentsOf: buffer.readableBytesView)
        }
    }

    func finish() -> [String] {
        if case .sha256(let wanted) = rule, let digest {
            let got = digest.finish().hexadecimal
            return got == wanted ? [] : ["body SHA-256: wanted \(wanted), got \(got)"]
        }
        guard count <= DocumentCheck.limit else { return ["body: longer than the 1 MiB that it is looked through in"] }
        return rule.differences(in: bytes)
    }
}

extension RequestMatch.BodyRule {
    /// What is wrong with a whole body, of the rules about what it says; empty for the other rules.
    package func differences(in bytes: [UInt8]) -> [String] {
        switch self {
        case .none, .equals, .prefix: return []
        case .sha256(let wanted):
            let got = HashFunction.sha256.hash(bytes)?.hexadecimal ?? "none"
            return got == wanted ? [] : ["body SHA-256: wanted \(wanted), got \(got)"]
        case .contains(let part):
            if ByteSearch.contains(bytes, part.utf8) { return [] }
            return ["body: wanted \(quoted(part)) in it, got \(shown(bytes))"]
        case .matches(let pattern):
            let wanted = "body: wanted something that matches /\(excerpt(pattern.source))/"
            switch pattern.isFound(in: String(decoding: bytes, as: UTF8.self)) {
            case true?: return []
            case false?: return ["\(wanted), got \(shown(bytes))"]
            case nil: return ["\(wanted), got more than the 16 KiB that a pattern is looked for in"]
            }
        case .json(let wanted): return differences(in: bytes, wanted, allowsMore: false)
        case .jsonSubset(let wanted): return differences(in: bytes, wanted, allowsMore: true)
        case .form(let rules):
            let items = FormItems(String(decoding: bytes, as: UTF8.self))
            return rules.compactMap { $0.difference(from: items, what: "form") }
        }
    }

    private func differences(in bytes: [UInt8], _ wanted: JSONValue, allowsMore: Bool) -> [String] {
        do throws(Malformed) {
            let got = try JSONReader.read(bytes)
            return JSONComparison.differences(wanted: wanted, got: got, allowsMore: allowsMore)
        } catch {
            return ["body: \(error.text)"]
        }
    }

    private func shown(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "none" : quoted(Secrets.shown(String(decoding: bytes.prefix(200), as: UTF8.self)))
    }
}
