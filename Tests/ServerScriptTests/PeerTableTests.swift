import Testing

@testable import ServerScript

@Suite struct PeerTableTests {
    @Test("Values are found by number, walked in the order of numbers, and gone when removed")
    func table() {
        var table = PeerTable<String>()
        for number in [5, 1, 9, 7] { table.insert("\(number)", for: PeerID(number)) }
        #expect(table.values == ["1", "5", "7", "9"])
        #expect(table.count == 4)
        for number in [1, 5, 7, 9] { #expect(table[PeerID(number)] == "\(number)") }
        for number in [0, 2, 6, 8, 10] { #expect(table[PeerID(number)] == nil) }
        table.remove(PeerID(6))
        table.remove(PeerID(5))
        table.remove(PeerID(9))
        #expect(table.values == ["1", "7"])
        #expect(table[PeerID(9)] == nil)
        #expect(table[PeerID(7)] == "7")
        table.insert("seven", for: PeerID(7))
        #expect(table.values == ["1", "seven"] && table.count == 2)
    }
}
