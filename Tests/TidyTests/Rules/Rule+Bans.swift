/// Words that are not used here, each with what is used in its place.
extension Rule {
    struct Ban: Sendable {
        enum Scope: Sendable { case pure, sources, library, tests }

        let words: [String]
        let scope: Scope
        let instead: String
        /// The one place where it is right.
        let except: String?
        /// Another meaning of the word, known by what stands before it.
        let notAfter: Set<String>

        init(
            _ code: String, in scope: Scope, except: String? = nil, notAfter: Set<String> = [], instead: String
        ) {
            words = SwiftTokens(code).code.map(\.text)
            self.scope = scope
            self.instead = instead
            self.except = except
            self.notAfter = notAfter
        }

        func places(in file: SourceFile) -> [Int] {
            file.tokens.occurrences(of: words).filter { $0 == 0 || !notAfter.contains(file.tokens.code[$0 - 1].text) }
        }

        func concerns(_ file: SourceFile) -> Bool {
            if let except, file.path.hasPrefix(except) { return false }
            switch scope {
            case .pure: return file.isSource && pureModules.contains(file.module)
            case .sources: return file.isSource
            case .library: return file.isSource && libraryModules.contains(file.module)
            case .tests: return file.isTest && !file.isTidy
            }
        }
    }

    /// Modules that run inside a user's program.
    static let libraryModules = pureModules.union([
        "BodyFiles", "CacheFiles", "ClientEngine", "SessionNetworking", "ScriptedServer",
    ])

    static let bans: [Ban] = inMachines + inSources + inTests

    private static let inMachines: [Ban] = [
        Ban("DispatchQueue", in: .pure, instead: "an output that the world performs"),
        Ban("DispatchTime", in: .pure, instead: "the Moment that the machine is given"),
        Ban("Lock(", in: .pure, instead: "confinement: a machine is entered from one thread"),
        Ban("NSLock", in: .pure, instead: "confinement: a machine is entered from one thread"),
        Ban("Atomic", in: .pure, instead: "confinement: a machine is entered from one thread"),
        Ban("Date()", in: .pure, instead: "Moment.date"),
        Ban("ContinuousClock", in: .pure, instead: "Moment.instant"),
        Ban("SuspendingClock", in: .pure, instead: "Moment.instant"),
        Ban("clock_gettime", in: .pure, instead: "Moment.instant"),
        Ban(".random(in:", in: .pure, instead: "Moment.entropy"),
        Ban("SystemRandomNumberGenerator", in: .pure, instead: "Moment.entropy"),
        Ban("didSet", in: .pure, instead: "the transition in the file of its state"),
        Ban("willSet", in: .pure, instead: "the transition in the file of its state"),
        Ban(") async", in: .pure, instead: "an input that continues; state is an enum case, not a suspended frame"),
        Ban("any Error", in: .pure, instead: "a failure of its own type, which is a value"),
    ]

    private static let inSources: [Ban] = [
        Ban("fatalError", in: .sources, except: blame, instead: "a failed task; Blame.ours for our own bugs"),
        Ban("preconditionFailure", in: .sources, except: blame, instead: "a failed task; Blame.ours for our own bugs"),
        Ban("precondition", in: .sources, except: blame, instead: "a failed task; Blame.ours for our own bugs"),
        Ban("assertionFailure", in: .sources, except: blame, instead: "Blame.ours"),
        Ban("try!", in: .sources, instead: "do and catch, or a value that cannot fail"),
        Ban("as!", in: .sources, instead: "as? with an answer to nil"),
        Ban("Task {", in: .library, instead: onlyTask),
        Ban("Task(", in: .library, except: asking, instead: onlyTask),
        Ban("Task.detached", in: .library, instead: onlyTask),
        Ban("Timer(", in: .library, instead: "the machine's deadline"),
        Ban("RunLoop", in: .library, instead: "the event loop or the delegate queue"),
        Ban(".urlSession(", in: .library, except: delegates, instead: "a UserCall: only Delegates/ invokes a delegate"),
    ]

    private static let inTests: [Ban] = [
        Ban("sleep(", in: .tests, notAfter: [".", "func"], instead: waiting),
        Ban("Task.sleep", in: .tests, instead: waiting),
        Ban("Thread.sleep", in: .tests, instead: waiting),
        Ban("usleep", in: .tests, instead: waiting),
        Ban("nanosleep", in: .tests, instead: waiting),
        Ban("asyncAfter", in: .tests, instead: waiting),
        Ban("XCTest", in: .tests, instead: "Swift Testing"),
    ]

    private static let blame = "Sources/MachineContract/Blame.swift"
    private static let delegates = "Sources/SessionNetworking/Delegates/"
    private static let asking = "Sources/SessionNetworking/Delegates/DelegateDispatcher+Asking.swift"
    private static let onlyTask = "nothing: DelegateDispatcher+Asking holds the library's only unstructured Task"
    private static let waiting = "a signal or a continuation, or the virtual clock of the simulator"

    static let bannedWords = Rule(name: "banned-words") { tree in
        tree.swift.flatMap { file in
            bans.filter { $0.concerns(file) }.flatMap { ban in
                ban.places(in: file).map { start in
                    Finding(
                        path: file.path, line: file.tokens.code[start].line,
                        message: "'\(ban.words.joined())' is not used here; instead: \(ban.instead)")
                }
            }
        }
    }

    /// What is not done yet stands in an issue, not in the code.
    static let openEnds = Rule(name: "open-ends") { tree in
        tree.swift.filter { !$0.isTidy }.flatMap { file -> [Finding] in
            let marks = file.tokens.comments.filter { comment in
                ["TODO", "FIXME", "XXX"].contains { comment.text.contains($0) }
            }
            let placeholder = file.name == "Placeholder" ? [SwiftTokens.Piece(text: "", line: 1)] : []
            return (marks + placeholder).map {
                Finding(path: file.path, line: $0.line, message: "an open end: finish it, or write an issue")
            }
        }
    }

    /// What the compiler was told to believe stands beside the reason why it is true.
    static let safetyComments = Rule(name: "safety-comments") { tree in
        tree.files.filter(\.isSource).flatMap { file -> [Finding] in
            let code = file.tokens.code
            let claims = file.tokens.occurrences(of: ["@unchecked", "Sendable"]).filter { start in
                // A conformance that is declared unavailable claims nothing.
                !code[max(0, start - 6)..<start].contains { $0.text == "unavailable" }
            }
            let places = claims + file.tokens.occurrences(of: ["nonisolated", "(", "unsafe", ")"])
            return places.map { code[$0].line }.sorted().filter { line in
                !file.tokens.comments.contains { abs($0.line - line) <= 3 && $0.text.contains("Safety") }
            }.map { line in
                Finding(
                    path: file.path, line: line,
                    message: "the compiler must take our word: say why within three lines, in a comment 'Safety: ...'")
            }
        }
    }
}
