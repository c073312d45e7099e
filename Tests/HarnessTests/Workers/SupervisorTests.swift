import Judge
import Foundation
import ScenarioFormat
import Locks
import JudgeTestSupport
import Serving
import Testing

@testable import Harness

/// Supervises a fake worker, a shell script, that behaves and misbehaves on demand.
@Suite("Supervising workers")
struct SupervisorTests {
    /// Answers each request by its scenario's name.
    static let script = #"""
        dies() {
          case $1 in
            *'"exploration":"bend:'*'flip=1.1'*) echo "playing 0 bend:x"; kill -SEGV $$ ;;
            *'"exploration":"bend:'*) return ;;
            *'"failures":2,'*'"played":3'*) return ;;
            *'"played":3'*'"failures":2'*) return ;;
          esac
          echo "playing 0 bend:0:0:code=200"
          echo "found $found"
          echo "playing 2 bend:0:0:code=204,0:0:flip=1.1"
          kill -SEGV $$
        }
        hangs() {
          case $1 in
            *'"exploration":"bend:'*'flip=1.1'*) echo "playing 0 bend:x"; exec sleep 1000 ;;
            *'"exploration":"bend:'*) return ;;
            *'"played":1'*) return ;;
          esac
          echo "playing 0 bend:0:0:code=204,0:0:flip=1.1"
          exec sleep 1000
        }
        starves() {
          case $1 in
            *'"exploration":"bend:'* | *'"played":1'*) return ;;
          esac
          echo "playing 0 bend:0:0:flip=1.1"
          exec sleep 1000
        }
        found='{"id":"dies","client":"ours","world":"simulated","style":"delegate","verdict":{"name":"fail"},"seconds":0,"virtualSeconds":2,"explored":1,"exploration":"bend:0:0:code=200","findings":[{"kind":"invariant","summary":"one","seen":"one","details":[]}],"trace":["wire"],"standardError":[],"seed":1}'
        while IFS= read -r line; do
          number=$(printf '%s' "$line" | sed 's/.*"number":\([0-9]*\).*/\1/')
          id=$(printf '%s' "$line" | sed 's/.*"id":"\([a-z]*\)".*/\1/')
          case $id in
            wedge) exec sleep 1000 ;;
            crash) echo "about to die" >&2; kill -SEGV $$ ;;
            quit) echo "giving up" >&2; exit 3 ;;
            garbage) echo "hello" ;;
            other) number=999999 ;;
            dies) dies "$line" ;;
            hangs) hangs "$line" ;;
            starves) starves "$line" ;;
          esac
          echo "noise" >&2
          [ "$id" = garbage ] || printf '{"number":%s,"result":{"id":"%s","client":"ours","world":"simulated","style":"delegate","verdict":{"name":"pass"},"seconds":0.5,"findings":[],"trace":["%s"],"standardError":[],"seed":1}}\n' "$number" "$id" "$$"
        done
        """#

    private func run(
        _ ids: [String], jobs: Int = 1, deadline: Duration = .seconds(20), stop: StopSignal = StopSignal(),
        executable: String = "/bin/sh"
    ) -> (results: [CaseResult], broken: String?) {
        let requests = ids.enumerated().map { number, id in
            let planned = PlannedCase(
                scenario: Make.scenario(id, cases: [Make.scenarioCase()]), row: 0, world: .simulated, style: .delegate)
            return CaseRequest(number: number, root: "/", planned: planned, seed: 1)
        }
        let results = Lock<[CaseResult]>([])
        let options = Supervisor.Options(
            executable: executable, arguments: ["-c", SupervisorTests.script], jobs: jobs, deadline: deadline)
        let broken = Supervisor(Agenda(requests), options: options, stop: stop) { result in
            results.withLock { $0.append(result) }
        }.run()
        return (results.withLock { $0 }, broken)
    }

    @Test("A worker plays case after case")
    func plays() {
        let results = run(["a", "b", "c"]).results
        #expect(results.map(\.id) == ["a", "b", "c"])
        #expect(results.allSatisfy { $0.verdict == .pass })
        #expect(Set(results.flatMap(\.trace)).count == 1)
    }

    @Test("Several workers share the cases, each of which is played once")
    func shares() {
        let ids = (0..<26).map { String(UnicodeScalar(97 + UInt8($0))) }
        #expect(run(ids, jobs: 4).results.map(\.id).sorted() == ids)
    }

    @Test("A wedged worker is one failed case, and a fresh worker goes on")
    func wedge() {
        let results = run(["a", "wedge", "b"], deadline: .seconds(2)).results
        #expect(results.map(\.verdict) == [.pass, .wedged, .pass])
        #expect(results[0].trace != results[2].trace)
    }

    @Test("A crashed worker is one failed case with its signal and its last words")
    func crash() {
        let results = run(["a", "crash", "b"]).results
        #expect(results.map(\.verdict) == [.pass, .fail, .pass])
        #expect(results[1].findings.first?.summary.contains("SIGSEGV") == true)
        #expect(results[1].standardError.contains("about to die"))
    }

    @Test("Of bends that end a worker the fewest are reported, beside what it had found, and what is left is played")
    func bends() throws {
        let results = run(["dies", "b"]).results
        #expect(results.map(\.verdict) == [.fail, .pass])
        let died = try #require(results.first)
        #expect(died.findings.map(\.kind) == [.invariant, .crashed])
        #expect(died.findings.last?.summary.hasPrefix("bend:0:0:flip=1.1: the worker") == true)
        // What is shown in full is the first.
        #expect(died.exploration == "bend:0:0:code=200")
        #expect(died.trace == ["wire"])
        #expect(died.explored == 3)
        #expect(died.virtualSeconds == 2)
        #expect(died.seconds >= 0.5, "that of the worker that played the rest is in it")
    }

    @Test("Bends that hang a worker are found in the same way")
    func hangs() {
        let results = run(["hangs", "b"], deadline: .seconds(2)).results
        #expect(results.map(\.verdict) == [.wedged, .pass])
        #expect(results[0].exploration == "bend:0:0:flip=1.1")
        #expect(results[0].findings.map(\.details) == [[]])
    }

    @Test("A worker that had to wait for others is told from one that hangs")
    func starves() {
        let results = run(["starves", "b"], deadline: .seconds(2)).results
        #expect(results.map(\.verdict) == [.wedged, .pass])
        #expect(results[0].findings.flatMap(\.details) == ["played once more, by itself, it came to an end"])
    }

    @Test("A worker that exits tells its status")
    func quit() {
        let results = run(["quit", "b"]).results
        #expect(results.map(\.verdict) == [.fail, .pass])
        #expect(results[0].findings.first?.summary == "the worker exited with status 3")
        #expect(results[0].standardError == ["giving up"])
    }

    @Test(
        "An answer that is none, or to another question, costs the worker its place", arguments: ["garbage", "other"])
    func garbage(id: String) {
        let results = run([id, "b"]).results
        #expect(results.map(\.verdict) == [.setupFailed, .pass])
    }

    @Test("A worker that cannot be started breaks the run instead of looping")
    func noWorker() {
        let outcome = run(["a", "b"], executable: "/nonexistent/worker")
        #expect(outcome.broken?.contains("cannot start a worker") == true)
        #expect(outcome.results.map(\.verdict) == [.setupFailed])
    }

    @Test("Stopping ends a run at once, also in the middle of a case")
    func stop() {
        let stop = StopSignal()
        let begin = ContinuousClock.now
        let helper = Thread {
            stop.raise()
        }
        helper.start()
        let results = run(["wedge", "b"], stop: stop).results
        #expect(results.isEmpty)
        #expect(ContinuousClock.now - begin < .seconds(15))
    }
}
