import HTTPBasics

/// A request that a browser sends for a page of another origin, and what an answer has to say so that the page may read
/// it (the CORS protocol, Fetch 3.2).
struct CrossOrigin: Equatable {
    private static let maxAge = "600"

    private let origin: String
    /// What a preflight asks about.
    let method: String?
    private let fields: String?

    /// Nil for a request that names no origin. What names no method is no preflight.
    init?(_ request: ReceivedHead) {
        guard let origin = request.fields.first("Origin") else { return nil }
        self.origin = origin
        let isPreflight = request.method == "OPTIONS"
        let method = isPreflight ? request.fields.first("Access-Control-Request-Method") : nil
        self.method = method.flatMap { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isTokenCharacter) ? $0 : nil }
        fields = isPreflight ? request.fields.joined("Access-Control-Request-Headers") : nil
    }

    /// Adds what the fields do not say themselves. The origin is named rather than any, which browsers do not take from
    /// requests with credentials.
    func share(_ answer: inout Fields) {
        func add(_ name: String, _ value: String) {
            if !answer.contains(name) { answer.append(name, value) }
        }
        let exposed = answer.list.map(\.name)
        add("Access-Control-Allow-Origin", origin)
        add("Access-Control-Allow-Credentials", "true")
        if let method {
            add("Access-Control-Allow-Methods", method)
            if let fields { add("Access-Control-Allow-Headers", fields) }
            add("Access-Control-Max-Age", CrossOrigin.maxAge)
        } else {
            add("Access-Control-Expose-Headers", exposed.joined(separator: ", "))
        }
        add("Vary", "Origin")
    }
}
