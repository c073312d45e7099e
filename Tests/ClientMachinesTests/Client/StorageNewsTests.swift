import Testing

@testable import ClientMachines

@Suite struct StorageNewsTests {
    @Test func `what was said last counts, in whatever order it arrives`() {
        var storage = StorageNews()
        storage.say(hasSome: true)
        let first = storage
        storage.say(hasSome: false)
        let second = storage
        storage.say(hasSome: true)
        let known = KnownStorage()
        #expect(!known.mayHaveSome)
        known.hear(first)
        #expect(known.mayHaveSome)
        known.hear(storage)
        known.hear(second)
        #expect(known.mayHaveSome)
    }

    @Test func `what a machine has found out itself holds until the storage says more`() {
        var storage = StorageNews()
        storage.say(hasSome: false)
        let known = KnownStorage()
        known.hear(storage)
        known.mayHaveSome = true
        known.hear(storage)
        #expect(known.mayHaveSome)
        storage.say(hasSome: false)
        known.hear(storage)
        #expect(!known.mayHaveSome)
    }
}
