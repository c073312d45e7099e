import HTTPBasics
import Testing

@testable import Judge

@Suite struct WireTraceTextTests {
    @Test("The directions of a connection do not disturb each other")
    func directions() {
        var trace = WireTraceText()
        let pieces = [(true, "Authorization: Bas"), (false, "HTTP/1.1 200 OK\r\n"), (true, "ic YW5u\r\n")]
        for (number, piece) in pieces.enumerated() {
            trace.add(
                connection: 0, isFromClient: piece.0, instant: Instant(nanoseconds: Int64(number)),
                bytes: Array(piece.1.utf8))
        }
        #expect(
            trace.lines(CaseObservation()).map { $0.split(separator: ": ", maxSplits: 1).last } == [
                "Authorization:***", #"HTTP/1.1 200 OK\r\n"#, #"***\r\n"#,
            ])
    }
}
