import ClientLane
import HTTPBasics
import Judge
import JudgeTestSupport
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

    /// Of the whole plan, those that take long in a debug build are left out.
    @Test("What one bend brings to light is found, once where it is and once everywhere", arguments: Style.allCases)
    func finds(style: Style) throws {
        var explorer = Explorer(Sample.get, style: style, seed: 0)
        explorer.adjust = { $0.machine = { FlawedClient(.forgets, $0) } }
        explorer.skipped = Bomb.allCases.count
        var told = 0
        explorer.found = { _ in told += 1 }
        let outcome = try explorer.run(.hostile)
        // The simulator's checkers see it from inside as well.
        let ends = outcome.findings.map(\.summary).filter { $0.hasSuffix(": t never completed") }
        #expect(ends.map { $0.prefix { $0 != " " } } == ["bend:0:0:code=404:", "bend:every:every:code=404:"])
        #expect(told == 2)
        #expect(outcome.failed?.description == "bend:0:0:code=404")
        #expect(try outcome.bends == [#require(Bend("0:0:code=404"))])
        #expect(outcome.trace.contains { $0.contains("404") })
        let wire = try SimulatedDriver.play(Sample.get, style: style).wire
        let plan = Array(BendPlan(wire.flatMap(\.answers), seed: 0).bends(of: .hostile))
        #expect(outcome.positions == plan.count - Bomb.allCases.count, "all is played to the end")
    }

    @Test("Of several bends those are left that the failure needs")
    func fewest() throws {
        var explorer = Explorer(Sample.get, style: .delegate, seed: 0)
        explorer.adjust = { $0.machine = { FlawedClient(.forgets, $0) } }
        let outcome = try explorer.run(Exploration("bend:0:0:+age=0,0:0:code=404,0:0:date~doubled"))
        #expect(outcome.failed?.description == "bend:0:0:code=404")
        #expect(outcome.findings.last?.summary == "bend:0:0:code=404: t never completed")
    }

    @Test("A run that takes more of its process than it may is found, as often as is enough")
    func limits() throws {
        var explorer = Explorer(Sample.get, style: .delegate, seed: 0)
        explorer.adjust = { if $0.limits != nil { $0.limits = ProcessLimits(turn: .nanoseconds(1), memory: 1 << 40) } }
        explorer.skipped = Bomb.allCases.count
        let outcome = try explorer.run(.hostile)
        #expect(outcome.positions == Explorer.mostFailures)
        #expect(outcome.findings.allSatisfy { $0.summary.contains("of the processor") })
        explorer.failed = Explorer.mostFailures - 1
        #expect(try explorer.run(.hostile).positions == 1, "those count that another worker has found")
    }

    /// Which plays of the first bend take more of their process than they may: noise, or a rule.
    @Test(
        "What is measured is believed when two plays of three agree",
        arguments: [([1], false), ([1, 2], true), ([1, 3], true), ([1, 2, 3, 4], true), ([2, 3], false)])
    func measured(overruns: [Int], isBelieved: Bool) throws {
        var explorer = Explorer(Sample.get, style: .delegate, seed: 0)
        var plays = 0
        explorer.adjust = { options in
            guard options.limits != nil else { return }
            plays += 1
            if overruns.contains(plays) { options.limits = ProcessLimits(turn: .nanoseconds(1), memory: 1 << 40) }
        }
        let outcome = try explorer.run(Exploration("bend:0:0:code=404"))
        #expect(outcome.positions == 1)
        #expect(outcome.findings.contains { $0.kind == .limit } == isBelieved)
        #expect((outcome.failed != nil) == isBelieved)
        #expect((outcome.bends != nil) == (overruns.count == 4), "a scenario that passes is none")
    }

    @Test("A machine that is busy now and then neither ends an exploration nor leaves anything behind")
    func noise() throws {
        var explorer = Explorer(Sample.get, style: .delegate, seed: 0)
        var (last, isFirst, told) = (-1, false, 0)
        explorer.playing = { position, _ in (last, isFirst) = (position, position != last) }
        explorer.found = { _ in told += 1 }
        explorer.adjust = { if isFirst { $0.limits = ProcessLimits(turn: .nanoseconds(1), memory: 1 << 40) } }
        let outcome = try explorer.run(.hostileSeeds(1...10))
        #expect(outcome.positions == 10)
        #expect(outcome.findings == [])
        #expect(outcome.bends == nil)
        #expect(told == 0)
    }

    @Test("What one play showed stays a finding when the next does not show it, and says so")
    func unrepeated() throws {
        var explorer = Explorer(Sample.get, style: .delegate, seed: 0)
        var plays = 0
        explorer.adjust = { options in
            plays += 1
            // The play before the first bend has none.
            if plays == 2 { options.machine = { FlawedClient(.forgets, $0) } }
        }
        let outcome = try explorer.run(Exploration("bend:0:0:code=404"))
        #expect(outcome.findings.last?.summary == "bend:0:0:code=404: t never completed")
        #expect(outcome.findings.allSatisfy { $0.details == ["bend:0:0:code=404, played once more, does not show it"] })
        #expect(outcome.failed?.description == "bend:0:0:code=404")
        #expect(outcome.bends == nil, "a scenario of it would pass")
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

    @Test("A field that comes a thousand times is bent like one")
    func fieldsThatRepeat() throws {
        let fields = Fields(Array(repeating: Fields.Field("X", "1"), count: 1000))
        let sample = Sample.make(
            [Sample.exchange("GET", "/", Reply(fields: fields))], [Sample.task("t", "/"), .await(task: "t")], [])
        let wire = try SimulatedDriver.play(sample, style: .delegate).wire
        let plan = Array(BendPlan(wire.flatMap(\.answers), seed: 0).bends(of: .hostile))
        #expect(Set(plan).count == plan.count)
        #expect(try plan.contains([#require(Bend("0:0:x~doubled"))]))
    }
}
