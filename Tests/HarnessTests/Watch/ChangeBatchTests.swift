import HTTPBasics
import Testing

@testable import Harness

@Suite("Batches of changes")
struct ChangeBatchTests {
    private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    @Test("Nothing is waited for when nothing has come")
    func empty() {
        let batch = ChangeBatch()
        #expect(batch.deadline == nil)
        #expect(batch.changes.isEmpty)
    }

    @Test("Each change puts the end off, the same path counts once")
    func quiet() {
        var batch = ChangeBatch()
        batch.add("/a.yaml~", at: at(0))
        #expect(batch.deadline == at(50))
        batch.add("/a.yaml", at: at(40))
        batch.add("/a.yaml", at: at(45))
        #expect(batch.deadline == at(95))
        #expect(batch.changes.paths == ["/a.yaml", "/a.yaml~"])
    }

    @Test("What never comes to rest is cut off after a second")
    func restless() {
        var batch = ChangeBatch()
        for moment in stride(from: Int64(100), through: 1090, by: 10) { batch.add("/log", at: at(moment)) }
        #expect(batch.deadline == at(1100))
    }

    @Test("When events were lost anything may have changed")
    func loss() {
        var batch = ChangeBatch()
        #expect(!batch.changes.concern("/a.yaml"))
        batch.addLoss(at: at(3))
        #expect(batch.changes.concern("/a.yaml"))
        #expect(batch.deadline == at(53))
    }

    @Test(
        "A folder that came or went concerns all that is below it",
        arguments: [("/s/pool/a.yaml", true), ("/s/pool", true), ("/s/poolside/a.yaml", false), ("/s/a.yaml", false)])
    func folders(path: String, isConcerned: Bool) {
        #expect(FolderChanges(paths: ["/s/pool"]).concern(path) == isConcerned)
    }
}
