/// A GSSAPI that a scenario makes up in place of the client's system: what it says can be foretold, so that the
/// scripted server can judge it with code of its own.
package struct ScriptedGSSAPI: Hashable, Sendable {
    /// Whose ticket the process has; nil for nobody's.
    package var ticket: String?
    /// Users with their passwords, as the ticket server knows them.
    package var users: [String: String]
    /// How many tokens it has to say until it is done.
    package var rounds: Int
    /// How long each call takes.
    package var delay: Duration
    /// Tokens of a server that it takes for forged.
    package var refusals: [String]

    package init(
        ticket: String? = nil, users: [String: String] = [:], rounds: Int = 1, delay: Duration = .zero,
        refusals: [String] = []
    ) {
        self.ticket = ticket
        self.users = users
        self.rounds = rounds
        self.delay = delay
        self.refusals = refusals
    }

    package enum Word: Hashable, Sendable {
        case token([UInt8])
        /// Nothing is left to be said.
        case complete
        case refused
    }

    /// What it has begun with one server.
    package struct Context: Hashable, Sendable {
        private let script: ScriptedGSSAPI
        private let user: String?
        private let service: String
        private var round = 0

        /// - Parameter login: Nil for the process's ticket.
        package init(_ script: ScriptedGSSAPI, host: String, login: (user: String, password: String)?) {
            self.script = script
            service = "HTTP@\(host)"
            user = login.map { script.users[$0.user] == $0.password ? $0.user : nil } ?? script.ticket
        }

        /// - Parameter received: The server's token; nil to begin.
        package mutating func next(_ received: [UInt8]?) -> Word {
            guard let user else { return .refused }
            let text = received.map { String(decoding: $0, as: UTF8.self) }
            if let text, script.refusals.contains(text) { return .refused }
            guard round < script.rounds else { return .complete }
            round += 1
            let after = text.map { "; after=\($0)" } ?? ""
            return .token(Array("user=\(user); service=\(service); round=\(round)\(after)".utf8))
        }
    }
}
