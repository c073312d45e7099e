#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation

extension SourceFile {
    /// The file that a caller names.
    ///
    /// - Throws: `URLError`: `.badURL` for what is no file URL, `.fileDoesNotExist`, `.noPermissionsToReadFile`,
    ///   `.fileIsDirectory`, and `.cannotOpenFile` for all else that is no regular file or cannot be opened.
    convenience init(_ url: URL) throws(URLError) {
        guard url.isFileURL else { throw URLError(.badURL, "\(url.absoluteString) is no URL of a file.") }
        do throws(Trouble) {
            try self.init(path: url.path)
        } catch {
            throw URLError(error)
        }
    }

    /// The state in which the file that a caller names is now.
    static func version(of url: URL) throws(URLError) -> FileVersion {
        let file = try SourceFile(url)
        do throws(Trouble) {
            return try file.version()
        } catch {
            throw URLError(error)
        }
    }
}

extension URLError {
    /// An error whose description is this sentence.
    init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    init(_ trouble: SourceFile.Trouble) { self.init(URLErrorMapping.code(for: trouble.kind), trouble.detail) }
}
#endif
