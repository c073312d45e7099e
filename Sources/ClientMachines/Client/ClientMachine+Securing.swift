import HTTPBasics
import MachineContract
import TLSBasics

/// Who waits for the answer to a question: a task, or a dial whose connection is being secured.
enum QuestionOwner: Hashable {
    case task(TaskID)
    case dial(DialID)
}

/// A question of a dial's connection. It is asked on behalf of one task, whose delegate may have the say.
struct DialQuestion {
    enum Kind {
        case connection(ConnectionChallenge.Kind)
        /// The proxy in the way asks.
        case proxy(Challenge)
        /// The system is asked for a token, to say to that proxy.
        case system(TunnelNegotiation)
    }

    let id: QuestionID
    let task: TaskID
    let kind: Kind
}

/// What a connection asks while it is being secured, and how that ends.
extension ClientMachine {
    /// The first in line is asked; where it has no delegate for it, the default decides without a round trip.
    ///
    /// A connection that no task waits for has nobody to ask, and ends (BEHAVIOUR 2.B1-line).
    func asked(_ id: ConnectionID, _ kind: ConnectionChallenge.Kind, _ turn: inout Turn) {
        // Given up: an expected race.
        guard let dial = attempts[id].flatMap({ dials[$0] }), let peer = dial.peer else { return }
        guard let task = pool.task(waitingFor: dial.id, dial.route), let slot = tasks[task] else {
            return giveUp(dial, &turn)
        }
        guard slot.machine.asks.contains(.connection) else { return decideByDefault(kind, of: id, &turn) }
        let number = nextQuestionID()
        questions[number] = .dial(dial.id)
        dialQuestions[dial.id] = DialQuestion(id: number, task: task, kind: .connection(kind))
        turn.outputs.append(.ask(task, number, .connection(ConnectionChallenge(of: peer, kind: kind))))
        step(task, .connectionAsks(true), &turn)
    }

    private func decideByDefault(_ kind: ConnectionChallenge.Kind, of id: ConnectionID, _ turn: inout Turn) {
        switch kind {
        case .serverTrust: turn.outputs.append(.decideTrust(id, .evaluate))
        case .clientCertificate: turn.outputs.append(.present(id, nil))
        }
    }

    func answered(_ dialID: DialID, _ answer: ConnectionAnswer, _ turn: inout Turn) {
        guard let (dial, question) = closeQuestion(of: dialID, &turn), let connection = dial.securing,
            case .connection(let kind) = question.kind
        else { return }
        switch (answer, kind) {
        case (.trust, .serverTrust): turn.outputs.append(.decideTrust(connection, .accept))
        case (.present(let identity), .clientCertificate): turn.outputs.append(.present(connection, identity))
        case (.cancel, _):
            // The whole task, as if its user had cancelled it (BEHAVIOUR 2.A3-trust).
            if let peer = dial.peer { turn.outputs.append(.forgetTickets(of: peer)) }
            giveUp(dial, &turn)
            step(question.task, .cancel(keepingResumeData: false), &turn)
        case (.unasked, _): giveUp(dial, &turn)
        case (.performDefaultHandling, _), (.trust, _), (.present, _):
            decideByDefault(kind, of: connection, &turn)
        }
    }

    /// Nil if the dial is over, or its question was asked on behalf of a task that has another connection by now.
    func closeQuestion(of dialID: DialID, _ turn: inout Turn) -> (Dial, DialQuestion)? {
        guard let question = dialQuestions.removeValue(forKey: dialID), let dial = dials[dialID] else { return nil }
        guard tasks[question.task]?.place?.route == dial.route else {
            giveUp(dial, &turn)
            return nil
        }
        dials[dialID]?.silentSince = turn.now
        step(question.task, .connectionAsks(false), &turn)
        return (dial, question)
    }

    /// A task leaves the line that a connection asks something on behalf of: its answer counts for no other task, so
    /// the connection ends with the question (BEHAVIOUR 2.B1-line).
    func endQuestion(of task: TaskID, _ route: ConnectionRoute, _ turn: inout Turn) {
        for id in pool.dials(of: route) where dialQuestions[id]?.task == task {
            if let dial = dials[id] { giveUp(dial, &turn) }
        }
    }

    /// Before the connection is open this fails the task that waits for it. Later it is the connection's end: what was
    /// received before stays good until it is pulled (BEHAVIOUR 2.B1-behind).
    func secureFailed(_ id: ConnectionID, _ failure: SecureFailure, _ turn: inout Turn) {
        guard let connection = connections[id] else { return handleAttempt(id, .secureFailed(failure), &turn) }
        if connection.phase == .looking { return passOver(connection, &turn) }
        close(id, &turn)
        (connection.phase, connection.failure) = (.gone, failure)
        tell(connection, inputEndedInOrder: false, &turn)
    }

    /// Where the wire shows the end of a connection alone, it may be known what has ended it.
    func input(of event: ResponseEvent, on connection: Connection) -> TaskInput {
        guard let failure = connection.failure, case .failed(let ending) = event, ending.kind == .networkConnectionLost
        else { return .event(event) }
        return .connectionBroke(failure, ending)
    }
}
