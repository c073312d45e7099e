#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import MachineContract

/// What a `URLCache` guards with its lock.
struct CacheState {
    var memory: KeptResponses
    /// Nil: nothing is kept on disk.
    var disk: DiskResponses?
    var unmade = UnmadeChanges()
    /// What was forgotten, by whoever: an answer that was on its way meanwhile is out of date.
    var forgotten = ForgottenKeys()
    /// What makes the changes on disk, one after another.
    var writer: (any CallExecutor)?
    /// How many have begun and not come to their end.
    var reads = 0
    /// How many reads were not waited for and have not come to their end. An end may be counted first.
    var slowReads = 0
    /// In bytes.
    var diskCapacity: Int
    /// The path of its directory; nil where the user has none.
    var place: String?
    /// Of the world of the session that uses it.
    var clock = WorldClock.system
    var later: SessionWorld.Later = SessionWorld.run
    /// They are told whether anything is kept.
    var sessions: [EngineLink] = []
    /// What they were told last.
    var news = StorageNews()

    init(memoryCapacity: Int, diskCapacity: Int, place: String?) {
        memory = KeptResponses(capacity: max(0, memoryCapacity))
        self.diskCapacity = max(0, diskCapacity)
        self.place = place
    }

    var hasSome: Bool { !memory.isEmpty || disk.map { !unmade.isEmpty || $0.folder.mayHaveSome } ?? false }

    /// How large a body may be: what takes more than a fifth of a place would drive out too much else.
    var limits: BodyLimits {
        BodyLimits(inMemory: memory.mostBodyBytes, onDisk: disk == nil ? 0 : diskCapacity / 5)
    }
}

/// Up to how many bytes a body is kept.
struct BodyLimits: Sendable {
    var inMemory: Int
    var onDisk: Int
}
#endif
