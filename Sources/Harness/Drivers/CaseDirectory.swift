import Foundation

/// The directory of one case, where its downloads grow; removed with everything in it when the case is over.
final class CaseDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("\(NSTemporaryDirectory())/understudy-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CaseDirectoryError(code: errno) }
        let bytes = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        path = String(decoding: bytes, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What the library has left there.
    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

struct CaseDirectoryError: Error, CustomStringConvertible {
    var code: Int32
    var description: String { "cannot make a temporary directory: \(String(cString: strerror(code)))" }
}
