import Foundation
import Judge
import ScenarioFormat

/// What holds of each session that a case makes, in either world.
extension ClientLanePlayer {
    /// A session was just made, with that configuration. It has a copy (BEHAVIOUR 1.A2-copy): what changes from here on
    /// changes nothing.
    func made(_ session: URLSession, queue: OperationQueue?, _ configuration: URLSessionConfiguration) {
        check(session, queue: queue, configuration)
        leakSuspects.append(LeakSuspect(session))
        guard LaneSession.watches.contains(.sessions) else { return }
        configuration.httpAdditionalHeaders = [Self.lateField: "1"]
        session.configuration.httpAdditionalHeaders = [Self.lateField: "2"]
        configuration.timeoutIntervalForRequest = 0.001
    }

    /// A field that no request may have.
    private static let lateField = "X-Understudy-Late"

    /// What shows on the wire only.
    static func breaches(in observation: CaseObservation) -> [String] {
        let isLate = observation.server.contains { event in
            if case .request(let request) = event.kind { request.fields.contains(lateField) } else { false }
        }
        guard isLate, LaneSession.watches.contains(.sessions) else { return [] }
        return ["a field went out that the configuration got after the session was made"]
    }

    private func check(_ session: URLSession, queue: OperationQueue?, _ configuration: URLSessionConfiguration) {
        check(.sessions, queue == nil || session.delegateQueue === queue, "delegateQueue is not the one that was given")
        let own = session.configuration
        check(.sessions, own !== configuration, "the session has not copied its configuration")
        check(
            .sessions, Self.saysSame(own, configuration), "the session's configuration differs from the given one")
        checkValue(own)
        check(.sessions, (session.delegate == nil) == (sessionDelegateForm == nil), "the session's delegate is another")
    }

    private var sessionDelegateForm: DelegateForm? {
        style == .delegate || hasQuestionDelegate ? scenarioCase.session.delegate ?? .full : nil
    }
}
