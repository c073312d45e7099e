import HTTPBasics
import ServerScript

/// What a `URLProtocol` class of the caller's answers one request with.
package struct ProtocolRule: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        case response(status: Int, Fields, Content?, End)
        case redirect(status: Int, Redirect)
        /// A failure before any response.
        case failure(String)
    }

    package enum End: Hashable, Sendable {
        case finish, stall
        /// The name of a `URLError.Code`.
        case failure(String)
    }

    package struct Redirect: Hashable, Sendable {
        package var method: String
        package var target: String
        /// The new request has a property by which the class knows it, and leaves it to others.
        package var isMarked = false

        package init(method: String, target: String) {
            self.method = method
            self.target = target
        }
    }

    /// A call to the client.
    package enum Call: String, Hashable, Sendable, CaseIterable {
        case response, data
        /// Data without a byte.
        case nothing
        case finish, error
        /// All of the response at once, as what a cache had.
        case cached
    }

    /// Where the session's cache may keep the answer.
    package enum Keeping: String, Hashable, Sendable, CaseIterable {
        case anywhere
        case inMemory = "in-memory"
        case never
    }

    package var method: String
    package var target: String
    /// What the object's request must have among its fields.
    package var has = Fields()
    /// Names of fields that it must not have.
    package var absent: [String] = []
    /// Where its canonical form of the request leads instead.
    package var canonicalTarget: String?
    package var answer: Answer
    /// The calls to the client, in place of the usual ones.
    package var calls: [Call]?
    package var keep = Keeping.never
    /// The calls when the session's cache has something for the request.
    package var kept: [Call]?
    /// The realm of a challenge that comes first.
    package var realm: String?
    /// So much later the challenge is taken back, and after as much time again the request is answered.
    package var withdrawal: Duration?

    package init(method: String, target: String, canonicalTarget: String? = nil, answer: Answer) {
        self.canonicalTarget = canonicalTarget
        self.method = method
        self.target = target
        self.answer = answer
    }

    package var redirects: Bool {
        if case .redirect = answer { return true }
        return false
    }
}
