import BodyFiles
import Foundation

/// The files of one run, in a directory of its own, and what the input does to them.
final class RunFolder {
    static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })

    let path: String
    /// A file that the library was not given: it must not change.
    private var hasBystander = false

    init() throws {
        var template = Array("\(NSTemporaryDirectory())/understudy-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Violation(description: "no temporary directory: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(of file: FileName) -> String {
        switch file {
        case .body: "\(path)/body"
        case .part: "\(path)/understudy-download-1.tmp"
        case .state: "\(path)/state"
        }
    }

    private var bystander: String { "\(path)/bystander" }

    /// Makes the file unless it is there, of a time long ago, which any write changes.
    func make(_ file: FileName, size: Int) -> String {
        let path = path(of: file)
        if access(path, F_OK) != 0 {
            write(Self.content.prefix(size), to: path)
            var longAgo = utimbuf(actime: 0, modtime: 1)
            utime(path, &longAgo)
        }
        return path
    }

    func change(_ file: FileName, _ change: FileChange) {
        let path = make(file, size: 100)
        var status = stat()
        // Only the library may reach the bystander through its other names.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return }
        let size = Int(status.st_size)
        switch change {
        case .grow: truncate(path, off_t(size + 10))
        case .shrink: truncate(path, off_t(size / 2))
        case .touch: utime(path, nil)
        case .rewrite: write(Data(repeating: UInt8(ascii: "x"), count: size), to: path)
        case .remove: unlink(path)
        case .replace:
            write(Data(repeating: UInt8(ascii: "y"), count: size), to: path + ".new")
            rename(path + ".new", path)
        case .directory:
            unlink(path)
            mkdir(path, 0o700)
        case .fifo:
            unlink(path)
            mkfifo(path, 0o600)
        case .link:
            makeBystander()
            unlink(path)
            symlink(bystander, path)
        case .hardLink:
            makeBystander()
            unlink(path)
            link(bystander, path)
        case .locked: chmod(path, 0)
        }
    }

    /// A text about files: `$DIR` is the folder, `$SIZE` and `$TIME` what the body is like.
    func filledIn(_ text: String) -> String {
        let version = try? SourceFile(path: make(.body, size: 100)).version()
        return text.replacing("$DIR", with: path).replacing("$SIZE", with: "\(version?.size ?? 0)")
            .replacing("$TIME", with: "\(version?.modified ?? 0)")
    }

    func writeState(_ text: String) { write(Data(text.utf8), to: path(of: .state)) }

    private func makeBystander() {
        if !hasBystander { write(Self.content, to: bystander) }
        hasBystander = true
    }

    var isBystanderUntouched: Bool {
        !hasBystander || FileManager.default.contents(atPath: bystander) == Self.content
    }

    /// What is left besides the run's own files and `known` ones.
    func leftovers(besides known: Set<String>) -> [String] {
        let own = [path(of: .body), path(of: .part), path(of: .state), bystander]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.map { "\(path)/\($0)" }.filter { !own.contains($0) && !known.contains($0) }
    }

    /// Into the file that is there, if there is one: `createFile` would put another into its place.
    private func write(_ data: Data, to path: String) {
        if access(path, F_OK) != 0, !FileManager.default.createFile(atPath: path, contents: nil) { return }
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        try? file.truncate(atOffset: 0)
        file.write(data)
        try? file.close()
    }
}
