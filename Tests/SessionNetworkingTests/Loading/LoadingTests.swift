import ClientMachines
import Testing

@testable import SessionNetworking

@Suite struct LoadingTests {
    private enum Moment: CaseIterable { case before, whileChoosing, whileBeginning, after }

    /// Notes what it is told, and lets something happen while it begins.
    private final class NotingLoader: Loader {
        private let journal: Journal
        private let whileBeginning: @Sendable () -> Void

        init(_ journal: Journal, whileBeginning: @escaping @Sendable () -> Void) {
            (self.journal, self.whileBeginning) = (journal, whileBeginning)
        }

        func begin() {
            journal.note("begin")
            whileBeginning()
            journal.note("begun")
        }
        func goOn() { journal.note("go on") }
        func end() { journal.note("end") }
    }

    // BEHAVIOUR 2.H18, 2.H18-late
    /// A load begins on the protocol classes' queue and is ended on the engine's thread: what can come between is
    /// played here in one thread.
    @Test(
        arguments: zip(
            Moment.allCases,
            [[], ["choose"], ["choose", "begin", "end", "begun"], ["choose", "begin", "begun", "go on", "end"]]))
    private func `whenever a load is ended, what has begun ends once, and nothing begins behind it`(
        moment: Moment, lines: [String]
    ) {
        let journal = Journal()
        let loading = Loading(EventInlet(enqueue: { _ in false }, wake: {}))
        if moment == .before { loading.end() }
        loading.begin {
            journal.note("choose")
            if moment == .whileChoosing { loading.end() }
            return NotingLoader(journal) { if moment == .whileBeginning { loading.end() } }
        }
        loading.goOn()
        loading.end()
        loading.end()
        loading.goOn()
        #expect(journal.take() == lines)
    }
}
