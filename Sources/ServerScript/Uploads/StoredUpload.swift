import HTTPBasics
import NIOCore

/// One upload as the server keeps it: how much has come, in which checksum, and whether that is as wanted; never the
/// bytes themselves, but for the first of them.
struct StoredUpload {
    /// In the order of creation.
    let number: Int
    private let limits: UploadLimits
    private(set) var recorder = BodyRecorder()
    private var check: ContentCheck?
    /// The size of all of it, once a request has given it.
    var length: Int?
    var isComplete = false
    /// The turn of the one request that may append; nil once it is over, or a client has asked for the offset, which
    /// may not change from then on.
    var writer: Int?

    init(number: Int, length: Int?, limits: UploadLimits, check: ContentCheck?, writer: Int) {
        self.number = number
        self.length = length
        self.limits = limits
        self.check = check
        self.writer = writer
    }

    var offset: Int { recorder.count }

    /// What is wrong with all of it; nil or empty when nothing is.
    var differences: [String] { check?.differences ?? [] }

    /// Takes what may still come; false when there was more.
    mutating func append(_ bytes: ByteBuffer) -> Bool {
        let most = min(length ?? .max, limits.maxSize ?? .max) - offset
        let count = min(bytes.readableBytes, max(0, most))
        if let fitting = bytes.getSlice(at: bytes.readerIndex, length: count), count > 0 {
            recorder.take(fitting)
            check?.take(fitting)
        }
        return count == bytes.readableBytes
    }

    /// What every answer about it says.
    func fields(_ version: UploadVersion) -> Fields {
        var fields = Fields([
            Fields.Field(UploadVersion.fieldName, String(version.rawValue)),
            Fields.Field("Upload-Offset", String(offset)), version.flag(isComplete: isComplete),
        ])
        if version == .six, let limit = limits.text { fields.append("Upload-Limit", limit) }
        return fields
    }
}
