import Judge
import ScenarioFormat
import ServerScript
import Simulator
import Testing

@testable import Harness

@Suite("Exploring hostile answers", .serialized)
struct ExplorerHostileTests {
    @Test("A sound client stands bends that seeds draw", arguments: Style.allCases)
    func seeds(style: Style) throws {
        var explorer = Explorer(Sample.get, style: style, seed: 0)
        var played: [Exploration] = []
        explorer.playing = { played.append($1) }
        let outcome = try explorer.run(.hostileSeeds(1...40))
        #expect(outcome.findings == [])
        #expect(outcome.positions == 40)
        #expect(Set(played).count > 35, "seeds draw different bends")
    }

    @Test("The same seed draws the same bends, which read back from their text")
    func repeats() throws {
        func played(from skipped: Int) throws -> [Exploration] {
            var explorer = Explorer(Sample.download, style: .delegate, seed: 0)
            var played: [Exploration] = []
            explorer.skipped = skipped
            explorer.playing = { played.append($1) }
            _ = try explorer.run(.hostileSeeds(5...14))
            return played
        }
        let all = try played(from: 0)
        #expect(try all.map { try Exploration($0.description) } == all)
        #expect(try played(from: 7) == Array(all.dropFirst(7)), "what another has played is left out")
    }

    @Test("A named bend is played by itself")
    func single() throws {
        let outcome = try Explorer(Sample.get, style: .delegate, seed: 0).run(
            Exploration("bend:0:0:content-length.0=2^63,0:0:code=206"))
        #expect(outcome.positions == 1)
        #expect(outcome.findings == [])
    }

    @Test("A named bend that changes nothing is a finding, also among others")
    func idle() throws {
        let explorer = Explorer(Sample.get, style: .delegate, seed: 0)
        for text in ["bend:9:9:code=204", "bend:0:0:code=206,0:0:chunk.0=2^63", "bend:0:0:code=200"] {
            let outcome = try explorer.run(Exploration(text))
            #expect(outcome.findings.map(\.kind) == [.setup], "\(text)")
        }
    }

    @Test("A bend reaches the client, and the server knows nothing of it")
    func reaches() throws {
        let bend = try #require(Bend("0:0:code=404"))
        let observation = try SimulatedDriver.play(
            Sample.get, style: .delegate, options: SimulatedDriver.Options(rules: [.bend(bend)])
        ).observation
        #expect(observation.journal.events(of: "t").contains { $0.status == 404 })
        #expect(observation.unconsumed == [])
    }

    @Test("One by one, every answer is bent in every way")
    func plan() throws {
        let wire = try SimulatedDriver.play(Sample.get, style: .delegate).wire
        let plan = BendPlan(wire.flatMap(\.answers), seed: 0)
        let texts = Set(plan.bends(of: .hostile).flatMap { $0 }.map(\.description))
        let some = [
            "0:0:bomb=gzip-in-gzip", "0:0:content-length.0=2^63-1", "0:0:content-length~contradicted", "0:0:code=206",
            "0:0:status.2=30-digits", "0:0:+content-range=negative", "0:0:date~huge",
        ]
        for text in some { #expect(texts.contains(text), "\(text) is missing") }
        #expect(!texts.contains { $0.hasPrefix("0:1") })
        #expect(texts.contains("every:every:code=401"))
    }
}
