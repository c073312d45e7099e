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

    // A printed seed is worth something as long as it means the same.
    @Test(
        "A seed says the same in every version",
        arguments: [
            (0, "1101010101011110100010110000110111111011110010011100110111000110"),
            (7, "1000000001101110110101011001000100100111101101001110000110110011"),
            (.max, "0001110011110100000001101001000111011001011001001011010101110100"),
        ] as [(UInt64, String)])
    func stability(seed: UInt64, drawn: String) {
        let draws = draws(seed: seed, percent: 50, place: 3, count: 64)
        #expect(draws.map { $0 ? "1" : "0" }.joined() == drawn)
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
