import HTTPBasics
import ScenarioFormat

/// Holds what a task says of itself against what its caller was told: in every case, without a word in its scenario.
///
/// Over sockets a task's counts run ahead of what its caller was told, so that they agree at the end only.
package struct TaskWatch: Sendable {
    /// What is looked at: another library may promise less.
    package struct Checks: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let states = Checks(rawValue: 1 << 0)
        package static let errors = Checks(rawValue: 1 << 1)
        package static let originals = Checks(rawValue: 1 << 2)
        package static let requests = Checks(rawValue: 1 << 3)
        package static let responses = Checks(rawValue: 1 << 4)
        package static let counts = Checks(rawValue: 1 << 5)
        package static let progress = Checks(rawValue: 1 << 6)
        package static let notes = Checks(rawValue: 1 << 7)
        package static let delegates = Checks(rawValue: 1 << 8)
        package static let files = Checks(rawValue: 1 << 9)
        package static let handlers = Checks(rawValue: 1 << 10)
        package static let sessions = Checks(rawValue: 1 << 11)
        package static let metrics = Checks(rawValue: 1 << 12)
        package static let values = Checks(rawValue: 1 << 13)
        package static let all = Checks(rawValue: (1 << 14) - 1)
    }

    /// What is known of a task besides what it says.
    package struct Facts: Sendable {
        /// Its caller hears each piece of the body, of the file, or of what is sent.
        package var hearsBody = false
        package var hearsSent = false
        /// Bytes that it is to send, as `countOfBytesExpectedToSend` tells them; nil where that is not written.
        package var length: Int?
        /// A file that goes on from another task's bytes, or an upload that does.
        package var isContinued = false

        package init() {}
    }

    private let checks: Checks
    package let facts: Facts
    package private(set) var breaches: [String] = []
    private var received = 0
    private var sent = 0
    private var identifier: Int?

    package init(_ checks: Checks, _ facts: Facts) {
        self.checks = checks
        self.facts = facts
    }

    /// The caller is called.
    ///
    /// - Parameter delivered: What a handler is given of a success: bytes of the body or of the file.
    package mutating func hear(_ event: SeenEvent, error: String?, delivered: Int? = nil, _ look: TaskLook) {
        let isEnd = event.word == .complete
        if look.identifier != (identifier ?? look.identifier) || look.identifier < 1 {
            note(.originals, "its identifier is \(look.identifier)")
        }
        identifier = look.identifier
        checkState(event.word, error, look)
        checkRequests(event.word, look)
        checkResponse(event, look)
        if !look.keepsNotes { note(.notes, "its description or priority was lost by '\(event.word.rawValue)'") }
        if let holds = look.holdsDelegate, holds == isEnd {
            note(.delegates, isEnd ? "it holds its delegate at its completion" : "it lost its delegate before its end")
        }
        switch event.word {
        case .data, .wrote: received += event.bytes
        case .sent: sent += event.bytes
        default: break
        }
        checkProgress(event.word, look)
        checkCounts(event, delivered, look)
    }

    /// The caller has done something that shows at once (BEHAVIOUR 1.H2-resume, 1.B13).
    package mutating func act(_ word: String, shows state: TaskLook.State, _ look: TaskLook) {
        if look.state != state { note(.states, "after \(word) its state is \(look.state.rawValue)") }
    }

    /// BEHAVIOUR 1.H2-completed, 1.H2-error.
    private mutating func checkState(_ word: EventWord, _ error: String?, _ look: TaskLook) {
        if (look.state == .completed) != (word == .complete) {
            note(.states, "its state is \(look.state.rawValue) in '\(word.rawValue)'")
        }
        let wanted = word == .complete ? error : nil
        if look.error != wanted {
            note(.errors, "its error is \(look.error ?? "nil") in '\(word.rawValue)', not \(wanted ?? "nil")")
        }
    }

    /// BEHAVIOUR 1.C5-requests.
    private mutating func checkRequests(_ word: EventWord, _ look: TaskLook) {
        if !look.isOriginal { note(.originals, "originalRequest is another one in '\(word.rawValue)'") }
        if look.isCurrent == false { note(.requests, "currentRequest is another one in '\(word.rawValue)'") }
        if word == .complete, look.error == nil, look.isAnswered == false {
            note(.requests, "currentRequest is not what the response answers")
        }
    }

    /// Nothing is the task's response before its head is there, and a task that waits for a redirect's answer has none.
    private mutating func checkResponse(_ event: SeenEvent, _ look: TaskLook) {
        switch event.word {
        case .created, .delayedRequest:
            if look.hasResponse { note(.responses, "it has a response in '\(event.word.rawValue)'") }
        case .response, .data, .file:
            if !look.hasResponse { note(.responses, "it has no response in '\(event.word.rawValue)'") }
        default: break
        }
        if look.isToldResponse == false {
            note(.responses, "its response is another one in '\(event.word.rawValue)' than was told")
        }
        if let announced = look.announced, announced != look.expectedToReceive {
            note(.counts, "it expects \(look.expectedToReceive) bytes of a response that announces \(announced)")
        }
    }

    /// BEHAVIOUR 1.H2-received, 1.H2-sent.
    private mutating func checkCounts(_ event: SeenEvent, _ delivered: Int?, _ look: TaskLook) {
        if look.received < received { note(.counts, "it counts \(look.received) received bytes of \(received)") }
        if look.sent < sent { note(.counts, "it counts \(look.sent) sent bytes of \(sent)") }
        if let length = facts.length, length != look.expectedToSend {
            note(.counts, "it expects to send \(look.expectedToSend) bytes of \(length)")
        }
        guard event.word == .complete else { return }
        if facts.hearsSent, look.sent != sent {
            note(.counts, "it counts \(look.sent) sent bytes at its end, of \(sent)")
        }
        let wanted = facts.hearsBody ? received : facts.isContinued ? nil : delivered
        if let wanted, look.received != wanted {
            note(.counts, "it counts \(look.received) received bytes at its end, of \(wanted)")
        }
    }

    /// BEHAVIOUR 1.A3-progress. It shows what the call tells.
    private mutating func checkProgress(_ word: EventWord, _ look: TaskLook) {
        guard let progress = look.progress else { return }
        let told = received + sent, counted = look.received + look.sent
        if word == .complete {
            if !progress.isFinished || progress.completed != progress.total || progress.completed != max(1, counted) {
                note(.progress, "its progress ends with \(progress.completed) of \(progress.total)")
            }
            return
        }
        if progress.isFinished, progress.total > counted { note(.progress, "its progress is finished before its end") }
        if progress.completed < told || progress.completed > counted {
            note(
                .progress, "its progress is \(progress.completed) when it has told \(told) and counted \(counted) bytes"
            )
        }
        guard received > 0 else { return }
        let (sum, isTooMuch) = max(0, look.expectedToSend).addingReportingOverflow(max(0, look.expectedToReceive))
        let wanted = max(isTooMuch ? .max : sum, progress.completed)
        if progress.total != wanted {
            note(.progress, "its progress is to reach \(progress.total), not \(wanted)")
        }
    }

    /// Once each: what is wrong in one call is wrong in many.
    private mutating func note(_ check: Checks, _ breach: String) {
        guard checks.contains(check), !breaches.contains(breach), breaches.count < 16 else { return }
        breaches.append(breach)
    }
}
