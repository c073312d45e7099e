import HTTPBasics
import ServerScript

/// A condition on an expected request, besides method and target.
public struct RequestRule: Sendable {
    let apply: @Sendable (inout RequestMatch) -> Void

    /// The field is there and says exactly this.
    public static func header(_ name: String, _ value: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .equals(value))) }
    }

    /// The field is there.
    public static func present(_ name: String) -> RequestRule {
        RequestRule { $0.fields.append(RequestMatch.NamedRule(name, .present)) }
    }

    /// The field is not there.
    public static func absent(_ name: String) -> RequestRule { RequestRule { $0.absent.append(name) } }

    /// Authorization carries exactly these Basic credentials (RFC 7617).
    public static func basic(user: String, password: String) -> RequestRule {
        RequestRule { $0.basic = BasicCredentials(user: user, password: password) }
    }

    /// The body is exactly this.
    public static func body(_ body: ServerBody) -> RequestRule { RequestRule { $0.body = .equals(body.content) } }

    /// There is no body.
    public static let noBody = RequestRule { $0.body = RequestMatch.BodyRule.none }
}
