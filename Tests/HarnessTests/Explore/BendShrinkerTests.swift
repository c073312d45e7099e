import ServerScript
import Testing

@testable import Harness

@Suite("The fewest bends")
struct BendShrinkerTests {
    private func bends(_ texts: [String]) throws -> [Bend] { try texts.map { try #require(Bend($0)) } }

    @Test("What the failure does not need goes, whatever its place", arguments: 0..<4)
    func single(needed: Int) throws {
        let all = try bends(["0:0:code=206", "0:0:flip=3.1", "0:1:date~huge", "0:0:content-length.0=2^63"])
        #expect(BendShrinker.shortest(all) { $0.contains(all[needed]) } == [all[needed]])
    }

    @Test("What fails only together stays together")
    func pair() throws {
        let all = try bends(["0:0:code=206", "0:0:flip=3.1", "0:1:date~huge", "0:0:content-length.0=2^63"])
        #expect(BendShrinker.shortest(all) { $0.contains(all[1]) && $0.contains(all[3]) } == [all[1], all[3]])
    }

    @Test("Pieces that change places get as short as the failure lets them")
    func swaps() throws {
        let shortest = BendShrinker.shortest(try bends(["0:0:swap=7.1000"])) { bends in
            guard case .swap(_, let count) = bends[0].change else { return false }
            return count >= 100
        }
        #expect(shortest == [Bend(connection: 0, answer: 0, .swap(7, count: 125))])
    }
}
