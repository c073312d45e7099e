import HTTPBasics
import ServerScript

/// A request as the server read it.
public struct ReceivedRequest: Hashable, Sendable, CustomStringConvertible {
    /// The method, in the client's spelling.
    public let method: String
    /// Path and query as they were sent.
    public let target: String
    /// The connection that brought it, counted from 0 in the order of acceptance.
    public let connection: Int
    /// The body; only the beginning of one that is larger than what the server keeps.
    public internal(set) var body: [UInt8]
    /// The size of the whole body.
    public internal(set) var bodyCount: Int
    private let fields: Fields

    init(_ request: RecordedRequest, connection: Int) {
        method = request.method
        target = request.target
        fields = request.fields
        self.connection = connection
        body = []
        bodyCount = 0
    }

    /// Names and values in the order in which they were sent. Credentials in Authorization are left out.
    public var headers: [(name: String, value: String)] { fields.list.map { ($0.name, $0.value) } }

    /// All values of the fields of that name, joined by a comma; nil when there is none.
    public func header(_ name: String) -> String? { fields.joined(name) }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Method and target.
    public var description: String { "\(method) \(target)" }

    /// Every request of a journal with what was read of its body.
    static func list(from events: [ServerEvent]) -> [ReceivedRequest] {
        struct Place: Hashable {
            var peer: PeerID
            var exchange: Int
        }
        var requests: [ReceivedRequest] = []
        var places: [Place: Int] = [:]
        for event in events {
            let place = Place(peer: event.peer, exchange: event.exchange)
            switch event.kind {
            case .request(let request):
                places[place] = requests.count
                requests.append(ReceivedRequest(request, connection: event.peer.value))
            case .requestBody(let body):
                guard let index = places[place] else { break }
                requests[index].body = body.prefix
                requests[index].bodyCount = body.count
            case .accepted, .noted, .uploaded, .answered, .faulted, .drew, .brokenOff, .closed, .violation, .exhausted,
                .abandoned, .startedOver, .tunnelled, .secureFailed:
                break
            }
        }
        return requests
    }
}
