import Testing

@testable import Simulator

@Suite struct SeededRandomTests {
    @Test func `SplitMix64 gives its published sequence`() {
        var mixer = SplitMix(state: 1_234_567)
        let words = (0..<3).map { _ in mixer.next() }
        #expect(words == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func `xoshiro256** gives its published sequence`() {
        var random = SeededRandom(state: (1, 2, 3, 4))
        let words = (0..<4).map { _ in random.next() }
        #expect(words == [11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240])
    }

    @Test func `numbers stay below their bound and reach every value`() {
        var random = SeededRandom(seed: 0)
        var seen = [Int](repeating: 0, count: 7)
        for _ in 0..<7_000 { seen[random.below(7)] += 1 }
        #expect(seen.allSatisfy { $0 > 850 && $0 < 1_150 })
        #expect(random.below(1) == 0)
        #expect(random.below(0) == 0)
    }

    @Test func `a fork does not follow its origin`() {
        var origin = SeededRandom(seed: 5)
        var fork = origin.fork()
        #expect((0..<8).map { _ in fork.next() } != (0..<8).map { _ in origin.next() })
    }
}
