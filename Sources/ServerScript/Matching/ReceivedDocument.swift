import Digests
import HTTPBasics
import NIOCore

/// A request's body as a whole, for all conditions on what it says: it is held once and read once, however many routes
/// look at it.
final class ReceivedDocument {
    /// Of a body that has to be held as a whole.
    static let limit = 1 << 20

    private let budget: DocumentBudget
    private var bytes: [UInt8] = []
    private var count = 0
    private var isHeld = false
    private var isRefused = false
    private var running: RunningHash?

    init(_ budget: DocumentBudget = DocumentBudget()) { self.budget = budget }

    convenience init(_ bytes: [UInt8], for rule: RequestMatch.BodyRule) {
        self.init()
        prepare(for: rule)
        take(ByteBuffer(bytes: bytes))
    }

    deinit { budget.left += bytes.count }

    /// Before the first byte: what will be asked.
    func prepare(for rule: RequestMatch.BodyRule) {
        if case .sha256 = rule { running = running ?? RunningHash(.sha256) } else { isHeld = true }
    }

    func take(_ piece: ByteBuffer) {
        count += piece.readableBytes
        if let running { piece.withUnsafeReadableBytes { running.update($0) } }
        guard isHeld, count <= Self.limit, !isRefused else { return }
        isRefused = piece.readableBytes > budget.left
        guard !isRefused else { return }
        budget.left -= piece.readableBytes
        bytes.append(contentsOf: piece.readableBytesView)
    }

    private let work = PatternWork()
    private lazy var json: Result<JSONValue, Malformed> = Result { () throws(Malformed) in try JSONReader.read(bytes) }
    private lazy var text = String(decoding: bytes, as: UTF8.self)
    private lazy var form = FormItems(text)
    private lazy var sha256 = running?.finish().hexadecimal ?? "none"

    /// What is wrong with the whole body, of the rules about what it says; empty for the other rules.
    func differences(from rule: RequestMatch.BodyRule) -> [String] {
        if case .sha256(let wanted) = rule {
            return sha256 == wanted ? [] : ["body SHA-256: wanted \(wanted), got \(sha256)"]
        }
        guard count <= Self.limit else { return ["body: longer than the 1 MiB that it is looked through in"] }
        guard !isRefused else {
            return ["body: not looked through, since the server holds \(DocumentBudget.limit >> 20) MiB of others"]
        }
        switch rule {
        case .none, .equals, .prefix, .sha256: return []
        case .contains(let part):
            if ByteSearch.contains(bytes, part.utf8) { return [] }
            return ["body: wanted \(quoted(part)) in it, got \(shown)"]
        case .matches(let pattern):
            let wanted = "body: wanted something that matches /\(excerpt(pattern.source))/"
            switch pattern.isFound(in: text, work) {
            case true?: return []
            case false?: return ["\(wanted), got \(shown)"]
            case nil: return ["\(wanted), got a text \(pattern.obstacle(to: text, work) ?? "")"]
            }
        case .json(let wanted): return differences(from: wanted, allowsMore: false)
        case .jsonSubset(let wanted): return differences(from: wanted, allowsMore: true)
        case .form(let rules): return rules.compactMap { $0.difference(from: form, what: "form", work) }
        }
    }

    private func differences(from wanted: JSONValue, allowsMore: Bool) -> [String] {
        switch json {
        case .success(let got): JSONComparison.differences(wanted: wanted, got: got, allowsMore: allowsMore)
        case .failure(let error): ["body: \(error.text)"]
        }
    }

    private var shown: String {
        bytes.isEmpty ? "none" : quoted(Secrets.shown(String(decoding: bytes.prefix(200), as: UTF8.self)))
    }
}

/// How much of bodies a server holds at a time.
final class DocumentBudget {
    static let limit = 256 << 20
    var left = limit
}

extension RequestMatch.BodyRule {
    /// The same of a body that is there.
    package func differences(in bytes: [UInt8]) -> [String] {
        ReceivedDocument(bytes, for: self).differences(from: self)
    }
}
