import ServerScript

/// Conditions on what earlier requests have left, and on where a request stands.
extension RequestRule {
    /// What may be said of a value without naming it.
    public enum Presence: Hashable, Sendable {
        /// There is one.
        case present
        /// There is none.
        case none
    }

    /// `ServerReply.set` has left this value under this name. Both may have words of the request in them, such as
    /// `order-$path.id`; none of its body, for the state is looked at before that is read.
    public static func state(_ name: String, _ value: String) -> RequestRule {
        RequestRule { $0.state.append(StateRule(name, .equals(StateName(value)))) }
    }

    /// `ServerReply.set` has left a value under this name, or none.
    public static func state(_ name: String, _ presence: Presence) -> RequestRule {
        RequestRule { $0.state.append(StateRule(name, presence == .present ? .present : .none)) }
    }

    /// `ServerReply.count` has counted this so often before this request. The name may have words of the request in it.
    public static func count(_ name: String, _ count: Int) -> RequestRule {
        RequestRule { $0.state.append(StateRule(name, .count(count...count))) }
    }

    /// `ServerReply.count` has counted this at most so often before this request.
    public static func count(_ name: String, atMost most: Int) -> RequestRule {
        RequestRule { $0.state.append(StateRule(name, .count(min(0, most)...most))) }
    }

    /// `ServerReply.count` has counted this at least so often before this request.
    public static func count(_ name: String, atLeast least: Int) -> RequestRule {
        RequestRule { $0.state.append(StateRule(name, .count(least...Int.max))) }
    }

    /// It comes over this connection: those that have brought a request count from 1.
    public static func connection(_ number: Int) -> RequestRule { RequestRule { $0.connection = number } }

    /// It is this request of its connection, from 1.
    public static func exchange(_ number: Int) -> RequestRule { RequestRule { $0.exchange = number } }

    /// It is said in HTTP/1.0 or in HTTP/1.1, which is what it claims itself.
    public static func version(_ version: HTTPVersion) -> RequestRule {
        RequestRule { $0.minorVersion = version == .http10 ? 0 : 1 }
    }

    /// A version of HTTP/1.
    public enum HTTPVersion: Hashable, Sendable { case http10, http11 }
}
