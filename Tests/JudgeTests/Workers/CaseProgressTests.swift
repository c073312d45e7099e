import Judge
import Testing

@Suite("How far a worker is with an exploration")
struct CaseProgressTests {
    @Test("Each line of progress reads back")
    func lines() {
        var result = CaseResult(id: "a/b", world: .simulated, style: .async, verdict: .fail)
        result.findings = [Finding(.invariant, "two\nlines")]
        let all: [CaseProgress] = [
            .playing(position: 7, exploration: "bend:0:0:code=204"), .playing(position: 0, exploration: "a b"),
            .found(result), .again(play: 2),
        ]
        for progress in all {
            let line = Array(progress.line)
            #expect(line.count { $0 == 10 } == 1 && line.last == 10)
            #expect(CaseProgress(line.dropLast()) == progress)
        }
    }

    @Test(
        "Other lines are none",
        arguments: [
            "", "playing", "playing 1", "playing x y", "again", "again x", "found", "found {}", "{\"number\":1}",
            "played 1 x",
        ])
    func others(line: String) { #expect(CaseProgress(Array(line.utf8)) == nil) }
}
