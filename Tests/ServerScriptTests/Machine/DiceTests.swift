import Testing

@testable import ServerScript

@Suite struct DiceTests {
    private func draws(seed: UInt64, percent: Int, place: Int, count: Int = 1000) -> [Bool] {
        var dice = Dice(seed: seed)
        return (0..<count).map { _ in dice.happens(percent: percent, place: place) }
    }

    @Test("As often as it says", arguments: [0, 1, 30, 50, 99, 100], [0, 1, 0xffff_ffff_ffff_ffff] as [UInt64])
    func frequency(percent: Int, seed: UInt64) {
        let count = draws(seed: seed, percent: percent, place: 3).count { $0 }
        #expect(abs(count - percent * 10) <= (percent % 100 == 0 ? 0 : 50))
    }

    @Test("The seed decides, and every place draws for itself")
    func independence() {
        let first = draws(seed: 7, percent: 50, place: 0)
        #expect(first == draws(seed: 7, percent: 50, place: 0))
        #expect(first != draws(seed: 8, percent: 50, place: 0))
        #expect(first != draws(seed: 7, percent: 50, place: 1))
        var dice = Dice(seed: 7)
        let mixed = (0..<1000).map { _ in
            _ = dice.happens(percent: 50, place: 1)
            return dice.happens(percent: 50, place: 0)
        }
        #expect(mixed == first)
    }
}
