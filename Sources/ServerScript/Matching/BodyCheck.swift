import Digests
import HTTPBasics
import NIOCore

/// Compares one request body with what a script wants of it, while it streams in.
enum BodyCheck {
    case content(ContentCheck)
    case multipart(MultipartCheck)
    case slice(SliceCheck)
    case digest(DigestBodyCheck)
    /// Who has the checks gives it to all that ask for it, and its bytes to it.
    case document(ReceivedDocument, RequestMatch.BodyRule)

    /// The checks that a match asks for; `store` gives the plain form of compressed content, `document` the body for
    /// what it says.
    static func all(
        for match: RequestMatch, head: ReceivedHead, store: ContentStore,
        document: () -> ReceivedDocument = { ReceivedDocument() }
    ) -> [BodyCheck] {
        var checks: [BodyCheck] = []
        switch match.body {
        case .some(.none): checks.append(.content(ContentCheck(.empty, .nothing)))
        case .equals(let content): checks.append(.content(ContentCheck(store.plain(content), .whole)))
        case .prefix(let content): checks.append(.content(ContentCheck(store.plain(content), .beginning)))
        case .contains, .matches, .json, .jsonSubset, .form, .sha256:
            if let rule = match.body {
                let document = document()
                document.prepare(for: rule)
                checks.append(.document(document, rule))
            }
        case nil: break
        }
        if let rule = match.multipart {
            checks.append(.multipart(MultipartCheck(rule, head.fields.first("Content-Type"), store)))
        }
        if let whole = match.sliceOf {
            let check = SliceCheck(store.plain(whole), contentRange: head.fields.values("Content-Range"))
            checks.append(.slice(check))
        }
        if let digest = match.digest, digest.protection == .requestWithBody {
            checks.append(.digest(DigestBodyCheck(digest, head)))
        }
        return checks
    }

    mutating func take(_ bytes: ByteBuffer) {
        switch self {
        case .content(var check):
            check.take(bytes)
            self = .content(check)
        case .multipart(var check):
            check.take(bytes)
            self = .multipart(check)
        case .slice(var check):
            check.take(bytes)
            self = .slice(check)
        case .digest(let check): check.take(bytes)
        case .document: break
        }
    }

    /// What was wrong, once the body is over; empty when it is as wanted.
    mutating func finish() -> [String] {
        switch self {
        case .content(let check): return check.differences
        case .multipart(var check): return check.finish()
        case .slice(let check): return check.finish()
        case .digest(let check): return check.finish()
        case .document(let document, let rule): return document.differences(from: rule)
        }
    }
}

/// Compares bytes with a content, position by position, without holding either.
struct ContentCheck {
    enum Portion: Equatable {
        case nothing, whole, beginning
        /// These of its bytes, and no others.
        case part(Range<Int>)
    }

    private let content: Content?
    private let portion: Portion
    private var count = 0
    private var mismatch: String?

    /// `content` is plain, or nil when it could not be made.
    init(_ content: Content?, _ portion: Portion) {
        self.content = content
        self.portion = portion
    }

    mutating func take(_ bytes: ByteBuffer) {
        defer { count += bytes.readableBytes }
        guard mismatch == nil, let content else { return }
        let wanted = content.bytes(at: start + count, count: bytes.readableBytes)
        // What is too long shows in the count.
        if bytes.getSlice(at: bytes.readerIndex, length: wanted.readableBytes) == wanted { return }
        let pairs = zip(wanted.readableBytesView, bytes.readableBytesView)
        guard let index = pairs.enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset else { return }
        mismatch = "body at byte \(count + index): wanted \(excerpt(wanted, index)), got \(excerpt(bytes, index))"
    }

    private var start: Int {
        if case .part(let range) = portion { range.lowerBound } else { 0 }
    }

    var differences: [String] {
        guard let content else { return ["body: what it is compared with is over the limit of 64 MiB"] }
        if let mismatch { return [mismatch] }
        switch portion {
        case .nothing: return count == 0 ? [] : ["body: wanted none, got \(count.counting("byte"))"]
        case .part(let range):
            return count == range.count ? [] : ["body: wanted \(range.count.counting("byte")), got \(count)"]
        case .whole where count == content.count: return []
        // Of anything no bytes are a beginning: they prove nothing.
        case .beginning where count == 0 && content.count > 0: return ["body: wanted a beginning, got 0 bytes"]
        case .beginning where count <= content.count: return []
        case .whole: return ["body: wanted \(content.count.counting("byte")), got \(count)"]
        case .beginning: return ["body: wanted at most \(content.count.counting("byte")), got \(count)"]
        }
    }

    private func excerpt(_ bytes: ByteBuffer, _ index: Int) -> String {
        quoted(String(decoding: bytes.readableBytesView.dropFirst(index).prefix(16), as: UTF8.self))
    }
}

/// Compares a multipart body with its rule: the parts in order and none besides.
struct MultipartCheck {
    private static let differenceLimit = 20

    private let rule: MultipartRule
    private var contents: [Content?]
    private var reader: MultipartReader?
    private var index = -1
    private var current: ContentCheck?
    private var currentCount = 0
    private var currentDigest: RunningHash?
    private var differences: [String] = []

    init(_ rule: MultipartRule, _ contentType: String?, _ store: ContentStore) {
        self.rule = rule
        contents = []
        for part in rule.parts { contents.append(part.content.flatMap { store.plain($0) }) }
        do {
            reader = MultipartReader(boundary: try MultipartBoundary.parse(contentType: contentType))
        } catch {
            note(error.text)
        }
    }

    mutating func take(_ bytes: ByteBuffer) {
        reader?.receive(bytes)
        do {
            while let event = try reader?.next() { take(event) }
        } catch {
            note(error.text)
            reader = nil
        }
    }

    mutating func finish() -> [String] {
        do {
            try reader?.finish()
        } catch {
            note(error.text)
        }
        let got = index + 1
        if reader != nil, got != rule.parts.count { note("wanted \(rule.parts.count.counting("part")), got \(got)") }
        return differences
    }

    private mutating func take(_ event: MultipartReader.Event) {
        switch event {
        case .part(let head):
            index += 1
            current = nil
            currentDigest = nil
            currentCount = 0
            guard index < rule.parts.count else { return }
            compare(head, with: rule.parts[index])
            if rule.parts[index].content != nil { current = ContentCheck(contents[index], .whole) }
            if rule.parts[index].sha256 != nil { currentDigest = RunningHash(.sha256) }
        case .data(let bytes):
            current?.take(bytes)
            bytes.withUnsafeReadableBytes { currentDigest?.update($0) }
            currentCount += bytes.readableBytes
        case .partEnd: compareContent()
        }
    }

    private mutating func compareContent() {
        for difference in current?.differences ?? [] { note("part \(index + 1): \(difference)") }
        guard index < rule.parts.count else { return }
        let part = rule.parts[index]
        if let size = part.size, size != currentCount {
            note("part \(index + 1): wanted \(size.counting("byte")), got \(currentCount)")
        }
        compare("SHA-256", part.sha256, currentDigest?.finish().hexadecimal)
    }

    private mutating func compare(_ head: MultipartReader.PartHead, with part: MultipartRule.Part) {
        compare("name", part.name, head.name)
        compare("filename", part.filename, head.filename)
        compare("type", part.type, head.type)
    }

    private mutating func compare(_ what: String, _ wanted: String?, _ got: String?) {
        guard let wanted, wanted != got else { return }
        note("part \(index + 1) \(what): wanted \(quoted(wanted)), got \(got.map(quoted) ?? "none")")
    }

    private mutating func note(_ text: String) {
        if differences.count < MultipartCheck.differenceLimit { differences.append("multipart: \(text)") }
    }
}
