import HTTPBasics

@testable import ClientMachines

/// A response that came at second 1,000,000,000, and what becomes of it later.
struct KeptResponse {
    static let came = UnixTime(seconds: 1_000_000_000)
    var response: StoredResponse

    init(status: Int = 200, delay: Int64 = 0, _ fields: (String, String)...) {
        response = StoredResponse(
            status: status, fields: Fields(fields.map { Fields.Field($0, $1) }),
            asked: UnixTime(seconds: KeptResponse.came.seconds - delay), received: KeptResponse.came)
    }

    /// Seconds after it came, or before.
    static func date(_ seconds: Int64) -> String { HTTPDate.text(time(seconds)) }
    static func time(_ seconds: Int64) -> UnixTime { UnixTime(seconds: came.seconds + seconds) }

    func freshness(after seconds: Int64 = 0) -> Freshness { Freshness(of: response, at: KeptResponse.time(seconds)) }

    func decide(
        _ fields: (String, String)..., policy: CacheRule = .useProtocol, method: String = "GET",
        after seconds: Int64 = 0
    ) -> ReuseDecision {
        let fields = Fields(fields.map { Fields.Field($0, $1) })
        return .decide(policy, method: method, fields: fields, stored: response, at: KeptResponse.time(seconds))
    }
}
