import Foundation
import Testing

@testable import fuzz

/// Every public method in every state of a task and its session: nothing traps or hangs, each task ends once, and
/// nothing is told behind the end.
@Suite struct CallerTableTests {
    /// What one task goes through, as an input writes it; the call under test comes between two of these moves.
    private static let lives = [
        [
            "@get delegate held", "@resume 1", "@await 1", redirect, answer("hel"), "@write\nlo", "@wait 100",
            "@invalidate",
        ],
        ["@post handler 100", "@await 1", challenge, answer("hello"), "@wait 100", "@finishTasks", "@wait 100"],
        [
            "@stream delegate later", "@suspend 1", "@wait 100", "@resume 1", "@await 200", answer("hello"),
            "@finishTasks",
        ],
        [
            "@download delegate", "@await 1", early, answer("hel"), "@suspend 1", "@write\nlo", "@resume 1",
            "@invalidate",
        ],
        ["@session metrics", "@get delegate", "@response other", "@await 1", answer("hel"), "@write\nlo"],
        ["@resumed delegate 20", "@await 1", rest, "@reset", "@wait 1000", "@list"],
        ["@slices handler", "@await 1", answer(""), "@suspend 1", answer(""), "@resume 1", answer(""), "@invalidate"],
        ["@session bare", "@bytes async", "@await 1", answer("hel"), "@close", "@invalidate"],
    ]

    private static func answer(_ body: String) -> String {
        "@answer\nHTTP/1.1 200 OK\nETag: \"v\"\nContent-Length: 5\n\n\(body)"
    }
    private static let redirect = "@answer\nHTTP/1.1 302 Found\nLocation: /there\nContent-Length: 0\n\n"
    private static let challenge =
        "@answer\nHTTP/1.1 401 Unauthorized\nWWW-Authenticate: Basic realm=\"r\"\nContent-Length: 0\n\n"
    /// So that bytes have come where they go, and the next call finds another state.
    private static let pause = "@wait 1"
    private static let early = "@write lines\nHTTP/1.1 103 Early Hints\nLink: </a>\n\n"
    private static let rest =
        "@answer\nHTTP/1.1 206 Partial Content\nETag: \"v\"\nContent-Range: bytes 20-29/30\nContent-Length: 10\n\n012"

    /// What only reads is called together.
    private static let calls =
        [("", "look 1")]
        + CallerTable.all.keys.sorted().filter { CallerTable.readings[$0] == nil }.map { ($0, "call \($0) 1") }

    // BEHAVIOUR 1.B1-3 1.H1-late
    @Test(arguments: lives) func `between any two moments`(life: [String]) {
        // A new task minds its session's state, which goes through all of its own in the first lives.
        let isMaking = Self.lives.prefix(2).contains(life)
        for (name, call) in Self.calls where isMaking || CallerTable.factories[name] == nil {
            for moment in life.indices {
                var moves = life.flatMap { [$0, Self.pause] }
                moves.insert("@\(call)", at: 2 * moment + 2)
                play(moves)
            }
        }
    }

    // BEHAVIOUR 1.B1-3
    @Test(arguments: lives) func `from inside of each call`(life: [String]) {
        let life = life.flatMap { [$0, Self.pause] }
        for place in play(life)?.called ?? [] {
            for (_, call) in Self.calls { play(["@inside \(place) \(call)"] + life) }
        }
    }

    @Test func `the lives together have every call`() {
        let called = Self.lives.compactMap { life in play(life.flatMap { [$0, Self.pause] })?.called }
        #expect(called.reduce(into: []) { $0.formUnion($1) } == Set(CallName.allCases))
    }

    // BEHAVIOUR 1.B1-3
    @Test(arguments: 1...8) func `in other orders and at another pace`(seed: Int) {
        for (number, (_, call)) in Self.calls.enumerated() {
            let life = Self.lives[(number + seed) % Self.lives.count]
            var moves = ["@session seed \(seed) slow \(seed * 7 % 30)"] + life
            moves.insert("@\(call)", at: 1 + (number * 3 + seed) % life.count)
            play(moves)
        }
    }

    /// A new public method is either called here, or is no call with a state: then this says why.
    private static let elsewhere: [String: String] = [
        "URLSession.shared": "the process's, over real sockets",
        "URLSession.init(configuration:)": "each run makes a session, in its own world",
        "URLSession.init(configuration:delegate:delegateQueue:)": "each run makes a session, in its own world",
        "URLSessionTask.defaultPriority": "a constant",
        "URLSessionTask.lowPriority": "a constant",
        "URLSessionTask.highPriority": "a constant",
        "SlicedUpload.attempt": "a slice's",
        "SlicedUpload.contentRange": "a slice's",
        "SlicedUpload.fileSize": "a slice's",
        "SlicedUpload.length": "a slice's",
        "SlicedUpload.offset": "a slice's",
        "BoundStreams.inputStream": "blocks its thread",
        "BoundStreams.outputStream": "blocks its thread",
        "BoundStreams.init(bufferSize:)": "blocks its thread",
    ]
    /// Values, or objects that other code makes, with tests of their own.
    private static let values = [
        "URLSessionConfiguration", "NetworkUnavailableReason", "CachedURLResponse", "URLProtocol", "URLProtocolClient",
        "MultipartFormData",
        "AsyncBytes", "AsyncLineSequence", "ProxyDictionary", "URLSessionUploadTask+", "SlicedUpload+",
    ]

    @Test func `every public declaration is in the table`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/SessionNetworking")
        var declared: Set<String> = []
        for folder in ["Session", "Tasks", "SlicedUpload", "Loading", "Forms", "Configuration"] {
            let path = root.appendingPathComponent(folder).path
            for file in try FileManager.default.contentsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
                let type = file.dropLast(".swift".count)
                let isValue = Self.values.contains { type == $0 || $0.hasSuffix("+") && type.hasPrefix($0) }
                if isValue { continue }
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                declared.formUnion(Self.declarations(in: text).map { "\(type.prefix { $0 != "+" }).\($0)" })
            }
        }
        let known = Set(CallerTable.all.keys).union(Self.elsewhere.keys)
        #expect(declared.subtracting(known).sorted() == [], "in no table")
        #expect(known.subtracting(declared).sorted() == [], "no such declaration")
    }

    /// `name` of what is read, `name(labels:)` of what is called.
    private static func declarations(in text: String) -> [String] {
        let words = "(?:static |class |override |convenience |mutating |required |final )*"
        guard
            let pattern = try? Regex(
                "(?:public|open) \(words)(?:(?:var|let) `?(\\w+)|func `?(\\w+)|(init))",
                as: (Substring, Substring?, Substring?, Substring?).self)
        else { return [] }
        return text.matches(of: pattern).compactMap { match in
            let (_, value, function, initializer) = match.output
            if let value { return String(value) }
            guard let name = function ?? initializer else { return nil }
            return "\(name)(\(labels(text[match.range.upperBound...])))"
        }
    }

    private static func labels(_ text: Substring) -> String {
        var depth = 0
        var labels = "", label = "", isLabel = true
        for character in text.drop(while: { $0 != "(" }) {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">": depth -= label.last == "-" ? 0 : 1
            case ",": if depth == 1 { isLabel = true }
            case ":":
                if depth == 1, isLabel {
                    labels += "\(label.split(whereSeparator: \.isWhitespace).first ?? "_"):"
                    isLabel = false
                }
            default: break
            }
            if depth == 0 { break }
            label = character == "," || character == "(" ? "" : label + String(character)
        }
        return labels
    }
}
