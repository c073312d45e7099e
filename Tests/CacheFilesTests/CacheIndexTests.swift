import HTTPBasics
import Testing

@testable import CacheFiles

@Suite struct CacheIndexTests {
    private func name(_ number: Int, hash: UInt64) -> EntryName {
        EntryName(
            hash: KeyHash(high: hash << 50, low: hash), stored: UnixTime(seconds: Int64(number)), tag: UInt64(number))
    }

    private struct Known {
        var name: EntryName
        var space: Int
        var used: Int64
        var serial: Int
    }

    /// The same as a plain list does, over many random changes.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func `it agrees with a list`(seed: UInt64) {
        var random = Numbers(state: seed)
        var index = CacheIndex()
        var list: [Known] = []
        for step in 0..<3000 {
            let name = name(Int.random(in: 0..<60, using: &random), hash: UInt64.random(in: 0..<20, using: &random))
            let place = list.firstIndex { $0.name == name }
            let now = Int64.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3:
                if let place { list.remove(at: place) }
                list.append(Known(name: name, space: step, used: now, serial: step))
                index.insert(name, space: step, used: UnixTime(seconds: now))
            case 4:
                #expect(index.remove(name) == (place != nil))
                if let place { list.remove(at: place) }
            case 5, 6:
                #expect((index.use(name, at: UnixTime(seconds: now)) != nil) == (place != nil))
                if let place { (list[place].used, list[place].serial) = (now, step) }
            default:
                let oldest = list.indices.min { (list[$0].used, list[$0].serial) < (list[$1].used, list[$1].serial) }
                let gone = index.removeOldest()?.name
                #expect(gone == oldest.map { list[$0].name })
                if let oldest { list.remove(at: oldest) }
            }
            let space = list.reduce(0) { $0 + $1.space }
            #expect(index.usage == space && index.count == list.count)
        }
        for hash in 0..<20 as Range<UInt64> {
            let key = KeyHash(high: hash << 50, low: hash)
            let wanted = list.map(\.name).filter { $0.hash == key }.sorted { $0.stored > $1.stored }
            #expect(index.names(of: key) == wanted)
        }
    }

    @Test func `a listing removes what it does not have, unless that is newer`() {
        var index = CacheIndex()
        index.insert(name(1, hash: 0), space: 1, used: UnixTime(seconds: 1))
        index.insert(name(2, hash: 0), space: 1, used: UnixTime(seconds: 1))
        let serial = index.serial
        index.insert(name(3, hash: 0), space: 1, used: UnixTime(seconds: 1))
        index.compare(bucket: 0, with: [name(2, hash: 0)], before: serial)
        #expect(index.names(in: 0) == [name(3, hash: 0), name(2, hash: 0)])
    }

    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) ^ state
        }
    }
}
