import Judge
import Foundation
import ScenarioFormat
import Locks
import JudgeTestSupport
import Serving
import Testing

@testable import Harness

@Suite("Whole runs", .serialized)
struct ConformanceRunTests {
    private static let good = """
        scenario: topic/good
        server:
          - {request: GET /a, reply: {status: 200, body: hi}}
        client:
          - {task: t, request: GET /a}
          - await: t
        expect:
          t:
            events: [{response: {status: 200}}, {data: {total: 2}}, {complete: ok}]
        """

    /// A folder of scenario files, removed at the end.
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            let file = directory.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(directory.path)
    }

    private func run(
        _ root: String, _ set: (inout RunOptions) -> Void = { _ in }
    ) throws -> (status: RunStatus, text: String, complaints: [String]) {
        var options = RunOptions(root: root, executable: "/nonexistent")
        options.isInProcess = true
        set(&options)
        let text = Lock("")
        let terminal = TerminalReporter(excerpt: SourceExcerpt(root: root), isPart: options.part != nil) { more in
            text.withLock { $0 += more }
        }
        var complaints: [String] = []
        let run = try ConformanceRun(options, terminal: terminal, stop: StopSignal()) { complaints.append($0) }
        return (try run.run(), text.withLock { $0 }, complaints)
    }

    @Test("A sound scenario passes in both worlds and all styles")
    func passes() throws {
        try withFolder(["topic/good.yaml": Self.good]) { root in
            let outcome = try run(root)
            #expect(outcome.status == .passed, "\(outcome.text)")
            #expect(outcome.text.contains("6 cases"))
        }
    }

    @Test("A failure has status 1 and points into the file")
    func fails() throws {
        let bad = Self.good.replacing("status: 200}}", with: "status: 201}}").replacing("topic/good", with: "topic/bad")
        try withFolder(["topic/bad.yaml": bad]) { root in
            let outcome = try run(root) { $0.worlds = [.simulated] }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("topic/bad.yaml:"))
            #expect(outcome.text.contains("^"))
            #expect(outcome.text.contains("understudy run topic/bad --world simulated"))
        }
    }

    @Test("A task that never ends fails a scenario that speaks of its body alone")
    func neverEnds() throws {
        let endless = """
            scenario: topic/endless
            server:
              - {request: GET /a, reply: {body: hi, close-delimited: yes, send: [rest, stall]}}
            client: [{task: t, request: GET /a}, {advance: 1s}]
            expect: {t: {body: hi}}
            """
        try withFolder(["topic/endless.yaml": endless]) { root in
            let outcome = try run(root) { $0.worlds = [.simulated] }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("t expected 'complete: ok', got nothing more"), "\(outcome.text)")
        }
    }

    @Test("Who wants to know only whether anything fails, waits for nothing more")
    func stopsAtFailure() throws {
        let bad = Self.good.replacing("status: 200}}", with: "status: 201}}").replacing("topic/good", with: "topic/bad")
        try withFolder(["topic/bad.yaml": bad, "topic/good.yaml": Self.good]) { root in
            let outcome = try run(root) {
                $0.worlds = [.simulated]
                $0.stopsAtFailure = true
            }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("1 case in"), "\(outcome.text)")
        }
    }

    @Test("What a scenario says that should be is reported apart, and fails a strict run", arguments: [false, true])
    func should(isStrict: Bool) throws {
        let text = Self.good.replacing("status: 200}}", with: "status: 201}}") + "\nkind: should"
        try withFolder(["topic/good.yaml": text]) { root in
            let outcome = try run(root) {
                $0.worlds = [.simulated]
                $0.styles = [.delegate]
                $0.isStrict = isStrict
            }
            #expect(outcome.status == (isStrict ? .failures : .passed))
            let name = isStrict ? "FAIL" : "UNMET", count = isStrict ? "1 failed" : "1 not as they should be"
            #expect(outcome.text.contains("\(name)  topic/good (simulated, delegate)"), "\(outcome.text)")
            #expect(outcome.text.contains("0 passed, \(count)"))
        }
    }

    @Test("A run in which nothing was played proves nothing, and says so; a part of one may have nothing to play")
    func nothing() throws {
        let idle = Self.good + "\nneeds: {styles: [async]}"
        try withFolder(["topic/good.yaml": idle]) { root in
            let outcome = try run(root) { $0.styles = [.delegate] }
            #expect(outcome.status == .usage)
            #expect(outcome.text.hasSuffix("NOTHING WAS PLAYED\n"), "\(outcome.text)")
            let part = try run(root) {
                $0.styles = [.delegate]
                $0.part = RunPart("2/2")
            }
            #expect(part.status == .passed)
            #expect(part.text.hasSuffix("EMPTY SHARD: other shards play all there is\n"), "\(part.text)")
        }
    }

    @Test("Reports are written side by side")
    func reports() throws {
        try withFolder(["topic/good.yaml": Self.good]) { root in
            _ = try run(root) {
                $0.worlds = [.simulated]
                $0.reportDirectory = root + "/report"
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: root + "/report").sorted()
            #expect(files == ["junit.xml", "report.html", "results.jsonl"])
        }
    }

    @Test("Exploration runs in virtual time only and counts its positions")
    func explores() throws {
        try withFolder(["topic/good.yaml": Self.good]) { root in
            let outcome = try run(root) {
                $0.exploration = .everySplit
                $0.styles = [.async]
            }
            #expect(outcome.status == .passed, "\(outcome.text)")
            #expect(outcome.text.contains("1 case"))
            #expect(outcome.text.contains("explored:"))
        }
    }

    @Test("Many seeds are played in portions, and what they find is left behind")
    func seeds() throws {
        let bad = Self.good.replacing("data: {total: 2}", with: "data: {total: 3}")
        try withFolder(["topic/good.yaml": bad]) { root in
            let outcome = try run(root) {
                $0.exploration = .seeds(1...420)
                $0.styles = [.delegate]
                $0.foundDirectory = root + "/found"
            }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("3 cases"))
            for seed in ["1", "201", "401"] {
                let file = "\(root)/found/topic/good-delegate-seed-\(seed).yaml"
                #expect(outcome.text.contains(file))
                #expect(FileManager.default.fileExists(atPath: file))
            }
        }
    }

    @Test("A case that fails under most seeds is not shrunk for ever")
    func fewFailures() throws {
        let bad = Self.good.replacing("data: {total: 2}", with: "data: {total: 3}")
        try withFolder(["topic/good.yaml": bad]) { root in
            let outcome = try run(root) {
                $0.exploration = .seeds(1...1_000_000)
                $0.styles = [.delegate]
                $0.foundDirectory = root + "/found"
            }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("3 cases"), "\(outcome.text)")
        }
    }

    @Test("A finding that cannot be left behind is reported all the same")
    func unwritable() throws {
        let bad = Self.good.replacing("data: {total: 2}", with: "data: {total: 3}")
        try withFolder(["topic/good.yaml": bad, "found/topic": "a file where a folder should be"]) { root in
            let outcome = try run(root) {
                $0.exploration = .seeds(7...7)
                $0.styles = [.delegate]
                $0.foundDirectory = root + "/found"
            }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("FAIL  topic/good"))
            #expect(outcome.text.contains("--seed 7"))
            #expect(outcome.text.contains("cannot write '\(root)/found/topic/good-delegate-seed-7.yaml': "))
            #expect(!outcome.text.contains("NSCocoa"))
        }
    }

    @Test("A folder that nothing can be left in is known before anything is played")
    func unwritableFolder() throws {
        try withFolder(["topic/good.yaml": Self.good, "found": "a file"]) { root in
            #expect(throws: UsageError.self) {
                try run(root) {
                    $0.exploration = .seeds(1...1)
                    $0.foundDirectory = root + "/found"
                }
            }
        }
    }

    @Test("A report that cannot be written keeps the others from nothing, and says which it is")
    func brokenReport() throws {
        try withFolder(["topic/good.yaml": Self.good]) { root in
            let report = root + "/report"
            try FileManager.default.createDirectory(
                atPath: report + "/junit.xml/full", withIntermediateDirectories: true)
            let error = #expect(throws: InternalError.self) {
                try run(root) {
                    $0.worlds = [.simulated]
                    $0.reportDirectory = report
                }
            }
            #expect(error?.description.hasPrefix("cannot write '\(report)/junit.xml': ") == true)
            #expect(error?.description.contains("NSCocoa") == false)
            #expect(FileManager.default.fileExists(atPath: report + "/results.jsonl"))
        }
    }

    @Test("A decision that is never reached fails a case, as a fault does")
    func unreachedDecision() throws {
        let text = Self.good + "\nschedule: [turn:99999:1]\n"
        try withFolder(["topic/good.yaml": text]) { root in
            let outcome = try run(root) {
                $0.worlds = [.simulated]
                $0.styles = [.delegate]
            }
            #expect(outcome.status == .failures)
            #expect(outcome.text.contains("the schedule's turn:99999:1 was never reached"))
        }
    }

    @Test("Another client's worker that is not there is named, with what builds it")
    func noReference() throws {
        try withFolder(["topic/good.yaml": Self.good]) { root in
            let error = #expect(throws: UsageError.self) { try run(root) { $0.clients = [.foundation] } }
            #expect(error?.description.contains("'/nonexistent-reference'") == true)
            #expect(error?.description.contains("make matrix") == true)
        }
    }

    @Test("What cannot mean anything is wrong use")
    func usage() throws {
        try withFolder(["topic/good.yaml": Self.good, "topic/broken.yaml": "scenario: [\n"]) { root in
            #expect(throws: UsageError.self) { try run(root) }
            #expect(throws: UsageError.self) { try run(root) { $0.patterns = ["nothing/like/this"] } }
            #expect(throws: UsageError.self) { try run(root + "/nowhere") }
            let outcome = try run(root) {
                $0.patterns = ["\(root)/topic/good.yaml"]
                $0.worlds = [.simulated]
            }
            #expect(outcome.status == .passed)
        }
    }

    @Test("A stopped run reports what it has and says so")
    func interrupted() throws {
        try withFolder(["topic/good.yaml": Self.good]) { root in
            var options = RunOptions(root: root, executable: "/nonexistent")
            options.isInProcess = true
            let stop = StopSignal()
            stop.raise()
            let terminal = TerminalReporter(excerpt: SourceExcerpt(root: root)) { _ in }
            let status = try ConformanceRun(options, terminal: terminal, stop: stop) { _ in }.run()
            #expect(status == .interrupted)
        }
    }

    @Test("Listing shows cases and the rows that they prove")
    func listing() throws {
        var scenario = Make.scenario("b/x", cases: [Make.scenarioCase("one"), Make.scenarioCase("two")])
        scenario.rows = ["1.B1-3"]
        let other = Make.scenario("a/y", cases: [Make.scenarioCase()])
        #expect(ScenarioListing.cases([scenario, other], []) == ["a/y", "b/x/one", "b/x/two"])
        #expect(ScenarioListing.cases([scenario, other], [ScenarioPattern("b/x/one")]) == ["b/x/one"])
        #expect(ScenarioListing.rows([scenario, other]) == ["1.B1-3  b/x"])
    }
}
