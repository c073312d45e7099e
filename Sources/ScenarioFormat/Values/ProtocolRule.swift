import HTTPBasics
import ServerScript

/// What a `URLProtocol` class of the caller's answers one request with.
package struct ProtocolRule: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        case response(status: Int, Fields, Content?, End)
        case redirect(status: Int, method: String, target: String)
        /// A failure before any response.
        case failure(String)
    }

    package enum End: Hashable, Sendable {
        case finish, stall
        /// The name of a `URLError.Code`.
        case failure(String)
    }

    package var method: String
    package var target: String
    package var answer: Answer

    package init(method: String, target: String, answer: Answer) {
        self.method = method
        self.target = target
        self.answer = answer
    }

    package var redirects: Bool {
        if case .redirect = answer { return true }
        return false
    }
}
