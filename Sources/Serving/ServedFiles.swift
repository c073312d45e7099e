import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// What the words of a command line mean that name files to serve: one file is at the root; several are each under a
/// place, which is the file's name unless the word says another: `/prefix=FILE`, `HOST=FILE` or `:PORT=FILE`.
package struct ServedFiles {
    package struct File: Equatable {
        package let path: String
        /// Nil for the root.
        package let place: ScriptMount.Place?
    }

    package let files: [File]
    /// The file at the root; nil if there is none.
    package var root: File? { files.first { $0.place == nil } }
    package var mounts: [File] { files.filter { $0.place != nil } }

    /// - Parameter resolve: The path of a file that is named by its id.
    package init(_ words: [String], resolve: (String) -> String) throws {
        var files: [File] = []
        for word in words {
            let (place, path) = try ServedFiles.divided(word)
            if ServedFiles.isFolder(path) {
                files += try ServedFiles.all(in: path, below: place)
            } else if let place {
                files.append(File(path: resolve(path), place: place == .prefix("") ? nil : place))
            } else {
                let path = resolve(path)
                let isAlone = words.count == 1
                files.append(File(path: path, place: isAlone ? nil : .prefix("/" + ServedFiles.name(path))))
            }
        }
        self.files = files
        var labels: Set<String> = []
        var variables: Set<String> = []
        for file in files {
            let label = file.place.map { ScriptMount($0, Script()).label } ?? "/"
            if case .prefix(let path) = file.place, !ServedFiles.isPath(path) {
                let name = file.path.split(separator: "/").last ?? ""
                if path.hasPrefix("//"), !path.dropFirst(2).contains("/") {
                    let place = path.dropFirst(2)
                    throw UsageError("'\(path)' can be no place: for a Host field or a port it is \(place)=\(name)")
                }
                throw UsageError(
                    """
                    '\(path)' can be no place: it is a path as requests have it, such as /users=\(name), of letters, \
                    digits and -._~!$&'()*+,;=:@ with all else as %20, without '//', '/./' and '/../', and not below \
                    /scope:
                    """)
            }
            guard labels.insert(label).inserted else { throw UsageError("two files are to be at \(label)") }
            guard let place = file.place else { continue }
            let variable = ServedPlaces.variable(of: place)
            guard variables.insert(variable).inserted else {
                throw UsageError("two files would be found by \(variable): give one another place")
            }
        }
    }

    /// `=` may also be a part of a path.
    private static func divided(_ word: String) throws -> (ScriptMount.Place?, path: String) {
        guard let sign = word.firstIndex(of: "="), !FileManager.default.fileExists(atPath: word) else {
            return (nil, word)
        }
        let place = String(word[..<sign]), path = String(word[word.index(after: sign)...])
        guard !path.isEmpty else { throw UsageError("'\(word)' names no file") }
        if place.hasPrefix("/") {
            return (.prefix(place.hasSuffix("/") ? String(place.dropLast()) : place), path)
        }
        if place.hasPrefix(":") {
            guard let port = DecimalNumber.port(place.dropFirst()), place == ":\(port)" else {
                throw UsageError("'\(place)' is no port of a file's own: :1 to :65535")
            }
            return (.port(port), path)
        }
        let isName = place.utf8.allSatisfy { $0 == 0x2d || $0 == 0x2e || $0 == 0x5f || isAlphanumeric($0) }
        guard isName, !place.isEmpty else {
            throw UsageError("'\(place)' is no path such as /users, no name of a host, and no port such as :8081")
        }
        return (.host(place.lowercased()), path)
    }

    /// As a request can have it: compared as sent, so without what clients take out before (RFC 3986 3.3, 5.2.4).
    private static func isPath(_ path: String) -> Bool {
        let segments = path.utf8.dropFirst().split(separator: 0x2f, omittingEmptySubsequences: false)
        return !path.hasPrefix(ScopeName.prefix)
            && segments.allSatisfy { segment in
                let text = String(decoding: segment, as: UTF8.self)
                return ![".", "..", ""].contains(text) && text.removingPercentEncoding != nil
                    && text.utf8.allSatisfy { isAlphanumeric($0) || "-._~%!$&'()*+,;=:@".utf8.contains($0) }
            }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func all(in folder: String, below place: ScriptMount.Place?) throws -> [File] {
        var above = ""
        switch place {
        case .prefix(let path): above = path
        case .host, .port: throw UsageError("a folder can only be at a path: '\(folder)'")
        case nil: break
        }
        let entries = ScenarioLibrary(root: folder)?.entries ?? []
        guard !entries.isEmpty else { throw UsageError("there is no .yaml file in '\(folder)'") }
        return entries.map { File(path: $0.path, place: .prefix("\(above)/\($0.id)")) }
    }

    /// The file's name without its ending.
    private static func name(_ path: String) -> String {
        ScenarioLibrary.id(String(path.split(separator: "/").last ?? ""))
    }
}
