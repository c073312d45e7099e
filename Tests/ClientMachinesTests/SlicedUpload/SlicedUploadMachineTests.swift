import HTTPBasics
import MachineContract
import Testing

@testable import ClientMachines

@Suite struct SlicedUploadMachineTests {
    private final class Bench {
        let machine: SlicedUploadMachine
        var now = Instant.zero

        init(_ size: Int64, _ settings: SliceSettings, stored: FileRanges = FileRanges()) {
            machine = SlicedUploadMachine(size: size, stored: stored, settings: settings)
        }

        func say(_ input: SlicedUploadInput, after span: Duration = .zero) -> [SlicedUploadOutput] {
            now = now + span
            var outputs: [SlicedUploadOutput] = []
            machine.handle(input, at: Moment(instant: now, date: UnixTime(seconds: 0), entropy: 0), into: &outputs)
            return outputs
        }
    }

    /// Slices of 100 bytes, whatever is measured.
    private func even(parallel: Int = 2, attempts: Int = 3) -> SliceSettings {
        SliceSettings(first: 100, smallest: 100, largest: 100, parallel: parallel, attempts: attempts)
    }

    private func all(_ ranges: Range<Int64>...) -> SlicedUploadOutput {
        .advanced(FileRanges(ranges, within: .max) ?? FileRanges())
    }

    private let passing = SliceFailure.passing(retryAfter: nil)

    // BEHAVIOUR 3.B1-parallel
    @Test func `slices go out in order, so many at a time, until all are stored`() {
        let bench = Bench(250, even())
        #expect(bench.machine.deadline == nil)
        #expect(bench.say(.resume) == [.send(0..<100, attempt: 1), .send(100..<200, attempt: 1)])
        #expect(bench.say(.stored(100..<200)) == [all(100..<200), .send(200..<250, attempt: 1)])
        #expect(bench.say(.stored(0..<100)) == [all(0..<200)])
        #expect(bench.say(.stored(200..<250)) == [all(0..<250), .finish(.complete)])
        #expect(bench.say(.cancel).isEmpty)
    }

    // BEHAVIOUR 3.B1-state
    @Test func `an upload goes on with what is missing`() {
        let stored = FileRanges([0..<50, 120..<180], within: 250) ?? FileRanges()
        let bench = Bench(250, even(parallel: 9), stored: stored)
        let sent = bench.say(.resume)
        #expect(sent == [50..<120, 180..<250].map { .send($0, attempt: 1) })
        #expect(Bench(250, even(), stored: FileRanges(all: 250)).say(.resume) == [.finish(.complete)])
    }

    @Test func `no number of a caller's is too large`() {
        let size = Int64.max
        let end = size - 10..<size
        let stored = FileRanges([0..<size - 10], within: size) ?? FileRanges()
        let bench = Bench(size, even(parallel: .max, attempts: .max), stored: stored)
        #expect(bench.say(.resume) == [.send(end, attempt: 1)])
        _ = bench.say(.failed(end, passing))
        #expect(bench.say(.timePassed, after: .seconds(60)) == [.send(end, attempt: 2)])
        #expect(bench.say(.stored(end)).last == .finish(.complete))
    }

    // BEHAVIOUR 3.B1-pause 3.B1-queue
    @Test func `a slice that failed waits, and goes before those that were never tried`() {
        let bench = Bench(1000, even(parallel: 1))
        _ = bench.say(.resume)
        #expect(bench.say(.failed(0..<100, passing)).isEmpty, "nothing new while the last news is bad")
        #expect(bench.machine.deadline == bench.now + .milliseconds(500))
        #expect(bench.say(.timePassed, after: .milliseconds(499)).isEmpty)
        #expect(bench.say(.timePassed, after: .milliseconds(1)) == [.send(0..<100, attempt: 2)])
        #expect(bench.say(.stored(0..<100)) == [all(0..<100), .send(100..<200, attempt: 1)])
    }

    // BEHAVIOUR 3.B1-queue
    @Test func `good news lets others go on while one waits`() {
        let bench = Bench(1000, even())
        _ = bench.say(.resume)
        #expect(bench.say(.failed(0..<100, passing)).isEmpty)
        #expect(
            bench.say(.stored(100..<200)) == [
                all(100..<200), .send(200..<300, attempt: 1), .send(300..<400, attempt: 1),
            ])
        #expect(bench.machine.deadline == nil, "there is no room for it")
        let next = bench.say(.stored(200..<300), after: .seconds(5))
        #expect(next == [all(100..<300), .send(0..<100, attempt: 2)])
    }

    // BEHAVIOUR 3.B1-queue
    @Test func `too many failures of one slice end the upload, and what is on its way with it`() {
        let bench = Bench(1000, even())
        _ = bench.say(.resume)
        _ = bench.say(.failed(0..<100, passing))
        #expect(
            bench.say(.timePassed, after: .seconds(1)).isEmpty, "one failure halves two: room for one, and one is out")
        _ = bench.say(.stored(100..<200), after: .seconds(1))
        _ = bench.say(.failed(0..<100, passing))
        _ = bench.say(.stored(200..<300), after: .seconds(100))
        #expect(bench.say(.failed(0..<100, passing)) == [.abandon, .finish(.failed(0..<100))])
        #expect(bench.say(.stored(300..<400)).isEmpty)
        #expect(bench.machine.deadline == nil)
    }

    // BEHAVIOUR 3.B1-status
    @Test func `a lasting failure ends it at once`() {
        let bench = Bench(1000, even(parallel: 1))
        _ = bench.say(.resume)
        #expect(bench.say(.failed(0..<100, .lasting)) == [.finish(.failed(0..<100))])
    }

    // BEHAVIOUR 3.B1-length
    @Test func `what failed goes in shorter slices`() {
        let settings = SliceSettings(first: 400, smallest: 100, largest: 400, parallel: 1)
        let bench = Bench(400, settings)
        #expect(bench.say(.resume) == [.send(0..<400, attempt: 1)])
        _ = bench.say(.failed(0..<400, passing))
        #expect(bench.say(.timePassed, after: .seconds(1)) == [.send(0..<200, attempt: 2)])
        _ = bench.say(.failed(0..<200, passing))
        #expect(bench.say(.timePassed, after: .seconds(2)) == [.send(0..<100, attempt: 3)])
        // It goes fast again: the rest is one slice, tried for the first time.
        #expect(bench.say(.stored(0..<100)) == [all(0..<100), .send(100..<300, attempt: 1)])
    }

    @Test func `nothing begins while it is suspended, and what arrives counts`() {
        let bench = Bench(300, even())
        _ = bench.say(.resume)
        #expect(bench.say(.suspend).isEmpty)
        #expect(bench.say(.stored(0..<100)) == [all(0..<100)])
        #expect(bench.say(.failed(100..<200, passing)).isEmpty)
        #expect(bench.machine.deadline == nil)
        #expect(bench.say(.resume, after: .seconds(9)) == [.send(100..<200, attempt: 2)])
    }

    @Test func `cancelling abandons what is on its way`() {
        let bench = Bench(300, even())
        _ = bench.say(.resume)
        #expect(bench.say(.cancel) == [.abandon, .finish(.cancelled)])
        #expect(Bench(300, even()).say(.cancel) == [.finish(.cancelled)])
    }

    /// A network that fails one slice in four, and a caller who stops at every point and begins again with what was
    /// stored: all bytes arrive, and no rule is broken on the way.
    // BEHAVIOUR 3.B1-state 3.B1-parallel 3.B1-length
    @Test(arguments: 0..<200) func `whatever fails and wherever it is stopped, every byte is stored`(seed: Int) {
        var random = Generator(state: UInt64(seed) &* 77 &+ 1)
        let size = Int64(random.below(50_000) + 1)
        let settings = SliceSettings(
            first: 700, smallest: 100, largest: 3000, parallel: 1 + random.below(5), attempts: 60)
        var stored = FileRanges()
        for _ in 0..<10_000 where stored.count < size {
            stored = play(size, settings, from: stored, steps: random.below(40) + 1, &random)
        }
        #expect(stored == FileRanges(all: size))
    }

    private func play(
        _ size: Int64, _ settings: SliceSettings, from stored: FileRanges, steps: Int, _ random: inout Generator
    ) -> FileRanges {
        let bench = Bench(size, settings, stored: stored)
        var stored = stored, flights: [Range<Int64>] = [], isOver = false
        func take(_ outputs: [SlicedUploadOutput]) {
            for output in outputs {
                switch output {
                case .send(let range, _):
                    #expect(range.count <= settings.largest && !range.isEmpty)
                    #expect(!flights.contains { $0.overlaps(range) } && !stored.list.contains { $0.overlaps(range) })
                    flights.append(range)
                case .advanced(let all):
                    #expect(all.list.count <= 2 * settings.parallel + 1)
                    stored = all
                case .finish(let end):
                    #expect(end == .complete && stored == FileRanges(all: size))
                    isOver = true
                case .abandon: Issue.record("nothing ends it")
                }
            }
            #expect(flights.count <= settings.parallel)
        }
        take(bench.say(.resume))
        for _ in 0..<steps where !isOver {
            if flights.isEmpty || random.below(3) == 0, let deadline = bench.machine.deadline {
                take(bench.say(.timePassed, after: max(.zero, deadline - bench.now)))
            } else if !flights.isEmpty {
                let range = flights.remove(at: random.below(flights.count))
                let isBad = random.below(4) == 0
                take(
                    bench.say(isBad ? .failed(range, passing) : .stored(range), after: .milliseconds(random.below(900)))
                )
            } else {
                Issue.record("it waits for nothing")
            }
        }
        return stored
    }

    private struct Generator {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }
}
