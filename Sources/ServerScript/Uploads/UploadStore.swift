import HTTPBasics
import NIOCore

/// The uploads that a server keeps, and what it answers about them (draft-ietf-httpbis-resumable-upload in the interop
/// versions 3, 5 and 6): a request begins with its head, brings bytes, and ends with an answer.
///
/// An upload has one request at a time that appends to it. A later request takes its place, since a client comes later
/// only when it has lost the connection of the earlier one (revision 05, 5).
struct UploadStore {
    /// More are not kept; complete ones make room, the oldest first.
    static let uploadLimit = 256

    /// A request under way.
    struct Turn {
        fileprivate let number: Int
        fileprivate let version: UploadVersion
        fileprivate(set) var path: String
        fileprivate var isLast = false
        fileprivate var hasExcess = false
        /// Where to continue, for a request that created the upload.
        fileprivate var location: String?
        /// Decided by the head alone.
        fileprivate var answer: UploadAnswer?
    }

    /// What a request comes to.
    enum Ending {
        case answer(UploadAnswer)
        /// The upload is whole: the script's answer, with these fields besides its own.
        case complete(path: String, RecordedBody, Fields)
        /// It is whole, and not what it should be.
        case wrong([String])
    }

    private var uploads: [String: StoredUpload] = [:]
    private var created = 0
    private var turns = 0

    /// Nil for a request like any other.
    mutating func begin(_ head: ReceivedHead, _ rule: UploadRule, _ contents: ContentStore) -> Turn? {
        let version = UploadVersion(head.fields)
        let isResource = head.target.hasPrefix(rule.below)
        turns += 1
        var turn = Turn(number: turns, version: version ?? .six, path: head.target)
        do throws(Malformed) {
            let request = try UploadRequest.parse(head, version, isResource: isResource)
            switch request {
            case nil: return nil
            case .limits: turn.answer = options(version, rule)
            case .create(let isLast, let length):
                let isSmall = isLast && head.framing.count ?? .max < rule.limits.minSize ?? 0
                if isSmall { return nil }
                turn.isLast = isLast
                create(&turn, length: length, rule, contents)
            case .append(let offset, let isLast):
                turn.isLast = isLast
                turn.answer = append(turn, at: offset, count: head.framing.count, rule)
            case .ask: turn.answer = ask(turn)
            case .cancel:
                let isThere = uploads.removeValue(forKey: turn.path) != nil
                turn.answer = isThere ? UploadAnswer(204, fields: turn.versionOnly) : missing(turn)
            case .unknown:
                turn.answer = UploadAnswer(405, fields: Fields([.init("Allow", "HEAD, PATCH, DELETE, OPTIONS")]))
            }
        } catch {
            turn.answer = UploadAnswer(400, error.text, fields: uploads[turn.path]?.fields(turn.version) ?? Fields())
        }
        return turn
    }

    /// Nothing happens to an upload that has another writer by now.
    mutating func take(_ bytes: ByteBuffer, for turn: inout Turn) {
        guard turn.answer == nil, uploads[turn.path]?.writer == turn.number else { return }
        if uploads[turn.path]?.append(bytes) == false { turn.hasExcess = true }
    }

    /// The request is over; `isCut` when not all of its body was read.
    mutating func end(_ turn: Turn, isCut: Bool) -> Ending {
        if let answer = turn.answer { return .answer(answer) }
        guard let upload = uploads[turn.path] else { return .answer(missing(turn)) }
        guard upload.writer == turn.number else { return .answer(conflict(turn, upload, offset: nil)) }
        uploads[turn.path]?.writer = nil
        var fields = upload.fields(turn.version)
        if let location = turn.location { fields.append("Location", location) }
        if turn.hasExcess {
            let isOverLength = upload.offset == upload.length
            let text = isOverLength ? "more than the upload's length" : "more than max-size"
            return .answer(UploadAnswer(isOverLength ? 400 : 413, text, fields: fields))
        }
        guard turn.isLast, !isCut else { return .answer(UploadAnswer(201, fields: fields)) }
        if let length = upload.length, length != upload.offset {
            return .answer(UploadAnswer(400, "\(upload.offset) bytes of an upload of \(length)", fields: fields))
        }
        guard upload.differences.isEmpty else { return .wrong(upload.differences) }
        uploads[turn.path]?.isComplete = true
        fields.set(turn.version.flagName, turn.version.flag(isComplete: true).value)
        return .complete(path: turn.path, upload.recorder.record, fields)
    }
}

// MARK: What a head decides

extension UploadStore {
    private mutating func create(_ turn: inout Turn, length: Int?, _ rule: UploadRule, _ contents: ContentStore) {
        if let length, let most = rule.limits.maxSize, length > most {
            var fields = turn.versionOnly
            if turn.version == .six, let limit = rule.limits.text { fields.append("Upload-Limit", limit) }
            turn.answer = UploadAnswer(413, "more than max-size", fields: fields)
            return
        }
        guard makeRoom() else {
            turn.answer = UploadAnswer(503, "too many uploads that are not complete")
            return
        }
        created += 1
        let path = "\(rule.below)\(created)"
        uploads[path] = StoredUpload(
            number: created, length: length, limits: rule.limits,
            check: rule.content.map { ContentCheck(contents.plain($0), .whole) }, writer: turn.number)
        turn.path = path
        turn.location = rule.prefix + path
    }

    private mutating func makeRoom() -> Bool {
        guard uploads.count >= UploadStore.uploadLimit else { return true }
        let oldest = uploads.filter { $0.value.isComplete }.min { $0.value.number < $1.value.number }
        return oldest.map { uploads.removeValue(forKey: $0.key) != nil } ?? false
    }

    /// Nil when the bytes may come.
    private mutating func append(_ turn: Turn, at offset: Int, count: Int?, _ rule: UploadRule) -> UploadAnswer? {
        guard let upload = uploads[turn.path] else { return missing(turn) }
        let fields = upload.fields(turn.version)
        if upload.isComplete, turn.version == .six {
            return UploadAnswer(400, problem: "completed-upload", "the upload is complete", fields: fields)
        }
        guard offset == upload.offset, !upload.isComplete else { return conflict(turn, upload, offset: offset) }
        if let count {
            let (end, overflow) = offset.addingReportingOverflow(count)
            if overflow || end > rule.limits.maxSize ?? .max {
                return UploadAnswer(413, "more than max-size", fields: fields)
            }
            if count > rule.limits.maxAppendSize ?? .max {
                return UploadAnswer(413, "more than max-append-size", fields: fields)
            }
            if !turn.isLast, count < rule.limits.minAppendSize ?? 0 {
                return UploadAnswer(400, "less than min-append-size", fields: fields)
            }
            if turn.version == .six, turn.isLast {
                if let length = upload.length, end != length {
                    return UploadAnswer(400, "\(end) bytes of an upload of \(length)", fields: fields)
                }
                uploads[turn.path]?.length = end
            }
        }
        uploads[turn.path]?.writer = turn.number
        return nil
    }

    private mutating func ask(_ turn: Turn) -> UploadAnswer {
        guard let upload = uploads[turn.path] else { return missing(turn) }
        uploads[turn.path]?.writer = nil
        var fields = upload.fields(turn.version)
        if turn.version == .six, let length = upload.length { fields.append("Upload-Length", String(length)) }
        fields.append("Cache-Control", "no-store")
        return UploadAnswer(204, fields: fields)
    }

    /// Revision 04 brought the field, and demands something to say.
    private func options(_ version: UploadVersion?, _ rule: UploadRule) -> UploadAnswer {
        guard version == nil || version == .six else { return UploadAnswer(204) }
        return UploadAnswer(204, fields: Fields([.init("Upload-Limit", rule.limits.text ?? "min-size=0")]))
    }

    private func missing(_ turn: Turn) -> UploadAnswer {
        UploadAnswer(404, "there is no upload \(turn.path)", fields: turn.versionOnly)
    }

    /// `offset` is what the request said; nil for one that was overtaken while it appended.
    private func conflict(_ turn: Turn, _ upload: StoredUpload, offset: Int?) -> UploadAnswer {
        let fields = upload.fields(turn.version)
        guard let offset else { return UploadAnswer(409, "another request has taken over", fields: fields) }
        guard turn.version == .six else {
            return UploadAnswer(409, "Upload-Offset: wanted \(upload.offset), got \(offset)", fields: fields)
        }
        let members = [("expected-offset", upload.offset), ("provided-offset", offset)]
        return UploadAnswer(
            409, problem: "mismatching-upload-offset", "the offset is another", members: members, fields: fields)
    }
}

extension UploadStore.Turn {
    /// Goes out as soon as the upload is there; nil for requests that create none.
    func interim(_ rule: UploadRule) -> Interim? {
        guard let location else { return nil }
        var fields = versionOnly
        fields.append("Location", location)
        if version == .six, let limit = rule.limits.text { fields.append("Upload-Limit", limit) }
        return Interim(status: 104, fields: fields)
    }

    fileprivate var versionOnly: Fields { Fields([.init(UploadVersion.fieldName, String(version.rawValue))]) }
}
