import Foundation

/// Reads the file that a `file:` body names, which must lie inside the scenario's own folder.
enum BodyFileReader {
    static let maximumBytes = 16 << 20

    enum Outcome {
        case bytes([UInt8])
        /// Why not, to follow the quoted path.
        case refused(String)
    }

    static func read(_ path: String, in folder: String?) -> Outcome {
        guard let folder else { return .refused("cannot be read: this text has no folder") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.hasPrefix("/"), !path.hasPrefix("~") else { return .refused("must be a relative path") }
        guard !parts.contains(".."), !parts.contains(""), !path.utf8.contains(0) else {
            return .refused("must stay inside the scenario's folder")
        }
        let root = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath()
        let file = root.appendingPathComponent(path).resolvingSymlinksInPath()
        guard file.path.hasPrefix(root.path + "/") else {
            return .refused("must stay inside the scenario's folder, symbolic links included")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else {
            return .refused("is not a file in the scenario's folder")
        }
        guard let size = attributes[.size] as? Int, size <= maximumBytes else {
            return .refused("is larger than 16MiB")
        }
        guard let data = try? Data(contentsOf: file) else { return .refused("cannot be read") }
        return .bytes([UInt8](data))
    }
}
