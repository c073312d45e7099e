import Foundation

/// A directory of a case or a worker; removed with everything in it when its owner is gone.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(in parent: String = NSTemporaryDirectory()) throws {
        var template = Array("\(parent)/understudy-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TemporaryDirectoryError(code: errno) }
        let bytes = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        path = String(decoding: bytes, as: UTF8.self)
    }

    /// One more, whose name begins as the other's: where that is left out, this is, too.
    init(beside other: TemporaryDirectory) throws {
        path = other.path + ".files"
        guard mkdir(path, 0o700) == 0 else { throw TemporaryDirectoryError(code: errno) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of what is there.
    package var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    package func remove(_ names: [String]) {
        for name in names { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    }
}

struct TemporaryDirectoryError: Error, CustomStringConvertible {
    var code: Int32
    var description: String { "cannot make a temporary directory: \(String(cString: strerror(code)))" }
}
