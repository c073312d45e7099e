import Foundation
import HTTPBasics
import NIOCore
import ServerScript

/// One move. The words are those of the files in `Corpus/session`; `CONTRIBUTING.md` lists them.
enum SessionMove {
    case server(ServerMove)
    case begin(TaskBeginning)
    case call(CallerCall, task: Int)
    /// The next question of this kind is answered so.
    case answer(QuestionWord, AnswerWord)
    /// From inside the next call of this name.
    case inside(CallName, CallerCall, task: Int)
    case file(FileName, FileChange)
    /// Resume data for `again`, and the state file for slices that are `saved`.
    case saved(SavedKind, String)

    init?(_ verb: Substring, _ words: ArraySlice<Substring>, _ text: ArraySlice<UInt8>) {
        let name = String(verb)
        if let move = ServerMove(name, words, text) {
            self = .server(move)
        } else if let kind = TaskBeginning.Kind(rawValue: name) {
            self = .begin(TaskBeginning(kind, words, text))
        } else if let (call, task) = CallerCall.read(words: [verb] + words) {
            self = .call(call, task: task)
        } else if let question = QuestionWord(rawValue: name) {
            self = .answer(question, words.first.flatMap { AnswerWord(rawValue: String($0)) } ?? .yes)
        } else if name == "inside", let place = words.first.flatMap({ CallName(rawValue: String($0)) }),
            let (call, task) = CallerCall.read(words: words.dropFirst())
        {
            self = .inside(place, call, task: task)
        } else if name == "data", let kind = words.first.flatMap({ SavedKind(rawValue: String($0)) }) {
            self = .saved(kind, String(decoding: text, as: UTF8.self))
        } else if let file = FileName(rawValue: name),
            let change = words.first.flatMap({ FileChange(rawValue: String($0)) })
        {
            self = .file(file, change)
        } else {
            return nil
        }
    }
}

/// What the server or the network does, to the connection that was accepted last unless `on` names another one.
enum ServerMove {
    private static let longestPause = 600_000
    private static let mostZeros = 200_000

    /// Waits for a request that is not answered yet, then writes.
    case answer(ByteBuffer)
    /// Writes at once.
    case write(ByteBuffer)
    case finish, close, reset
    /// Reads nothing, or goes on.
    case deaf, listen
    case on(Int)
    /// Waits for so many bytes of the client's.
    case await(Int)
    case wait(Duration)

    init?(_ verb: String, _ words: ArraySlice<Substring>, _ text: ArraySlice<UInt8>) {
        let number = words.first.flatMap { Int($0) }
        switch verb {
        case "answer": self = .answer(Self.bytes(text, isAllLines: words.first == "lines"))
        case "write":
            self = .write(words.first == "lines" ? Self.bytes(text, isAllLines: true) : ByteBuffer(bytes: text))
        case "zeros":
            let zeros = Content.fill(0, size: min(max(0, number ?? 0), Self.mostZeros))
            let sent = words.contains("gzip") ? Content.compressed(zeros, .gzip).plain() : zeros
            self = .write(sent?.bytes(at: 0, count: .max) ?? ByteBuffer())
        case "finish": self = .finish
        case "close": self = .close
        case "reset": self = .reset
        case "deaf": self = .deaf
        case "listen": self = .listen
        case "on": self = .on(number ?? 0)
        case "await": self = .await(number ?? 1)
        case "wait": self = .wait(.milliseconds(min(max(0, number ?? 0), Self.longestPause)))
        default: return nil
        }
    }

    /// A line ends with CRLF in a head, and in chunks if it is all lines.
    private static func bytes(_ text: ArraySlice<UInt8>, isAllLines: Bool) -> ByteBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 64)
        var isHead = true
        for byte in text {
            if byte == ASCII.lineFeed, isHead || isAllLines, bytes.last != ASCII.carriageReturn {
                // An empty line ends the head.
                if bytes.last == ASCII.lineFeed { isHead = false }
                bytes.append(ASCII.carriageReturn)
            }
            bytes.append(byte)
        }
        return ByteBuffer(bytes: bytes)
    }
}

/// A task that the caller makes and resumes.
struct TaskBeginning {
    private static let largestBody = 200_000

    enum Kind: String {
        case get, head, post
        /// Upload tasks: from memory, from a file, from a stream of the delegate's.
        case upload, file, stream
        case form, slices
        case download
        /// From resume data that name the partial file, and that of an upload.
        case resumed, `continue`
        /// From the resume data that a task of this run left.
        case again
        case bytes
    }

    enum Style: String { case delegate, handler, async }

    var kind: Kind
    var style = Style.async
    var url = "http://a.test/"
    /// Bytes of the body, and of the partial file.
    var size = 100
    /// Made, and not resumed.
    var isHeld = false
    /// With a delegate of the task's own.
    var hasOwnDelegate = false
    /// Not before this many seconds.
    var delay: Double?
    /// Slices go on from the state file.
    var isSaved = false
    /// Fields of the request, a line each.
    var fields: [(name: String, value: String)] = []

    init(_ kind: Kind, _ words: ArraySlice<Substring>, _ text: ArraySlice<UInt8>) {
        self.kind = kind
        for word in words {
            if let style = Style(rawValue: String(word)) {
                self.style = style
            } else if let number = Int(word) {
                size = min(max(0, number), Self.largestBody)
            } else if word == "held" {
                isHeld = true
            } else if word == "own" {
                hasOwnDelegate = true
            } else if word == "saved" {
                isSaved = true
            } else if word == "later" {
                delay = 5
            } else if word.hasPrefix("http://") {
                url = String(word)
            }
        }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n").prefix(8) {
            let pieces = line.split(separator: ":", maxSplits: 1)
            if pieces.count == 2 { fields.append((String(pieces[0]), String(pieces[1].drop { $0 == " " }))) }
        }
    }
}

/// A call of the caller's: by a short word, or as `call` and a name of the table.
enum CallerCall {
    case word(TaskCall)
    case member(String)

    /// With the number of the task that it is about.
    static func read(words: ArraySlice<Substring>) -> (CallerCall, task: Int)? {
        var words = words
        guard let word = words.popFirst() else { return nil }
        let call: CallerCall
        if let known = TaskCall(rawValue: String(word)) {
            call = .word(known)
        } else if word == "call", let name = words.popFirst(), CallerTable.all[String(name)] != nil {
            call = .member(String(name))
        } else {
            return nil
        }
        return (call, words.first.flatMap { Int($0) } ?? 1)
    }
}

/// What of: JSON that is sealed as resume data, or bytes in place of them; and the saved state of slices.
enum SavedKind: String { case token, raw, state }

/// What a caller does with a task, counted from 1 in the order of their beginning, or with the session.
enum TaskCall: String {
    case cancel
    /// Cancels, and keeps what is needed to go on.
    case keep
    case suspend, resume
    /// Reads all that can be read of a task and its session.
    case look
    case invalidate, finishTasks, renew, list
    /// Answers the questions that were put off.
    case reply
}

enum QuestionWord: String, CaseIterable { case redirect, challenge, response, needStream, delayed }

enum AnswerWord: String {
    /// Goes on as a delegate would that has nothing against it, or with nothing.
    case yes, no
    /// A credential, another request, a download in place of data.
    case other
    case later
}

/// Where a caller is called.
enum CallName: String, CaseIterable {
    case created, delayed, redirect, challenge, response, stream, sent, interim, data, became, file, wrote, resumedAt
    case metrics, complete
    /// The session's last word.
    case invalid
    /// A completion handler, or where an asynchronous call returns.
    case handler
}

enum FileName: String {
    /// The file that is sent.
    case body
    /// The file in which an earlier download has stopped.
    case part
    /// What slices keep.
    case state
}

enum FileChange: String, CaseIterable {
    case grow, shrink, touch, rewrite, remove, replace, directory, fifo, link, hardLink, locked
}
