/// One request of a played case and what came of it, for pictures. Times are seconds since the case began.
package struct Transfer: Codable, Hashable, Sendable {
    /// How many of a case are kept.
    package static let most = 40

    /// What a transfer does at a time, in the order in which it does it.
    package enum Phase: String, Codable, CaseIterable, Sendable {
        case lookup, connect, secure, request, response
    }

    /// Without an end it was cut off.
    package struct Span: Codable, Hashable, Sendable {
        package var phase: Phase
        package var start: Double
        package var end: Double?

        package init(_ phase: Phase, start: Double, end: Double?) {
            self.phase = phase
            self.start = start
            self.end = end
        }
    }

    package var task: String
    /// `GET /path`
    package var request: String
    package var status: Int?
    /// Whether its connection had carried another request before; nil without a connection.
    package var isReused: Bool?
    package var start: Double
    package var spans: [Span]
    /// When its task was over.
    package var taskEnd: Double

    package init(
        task: String, request: String, status: Int?, isReused: Bool?, start: Double, spans: [Span], taskEnd: Double
    ) {
        self.task = task
        self.request = request
        self.status = status
        self.isReused = isReused
        self.start = start
        self.spans = spans
        self.taskEnd = taskEnd
    }
}
