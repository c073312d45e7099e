import Testing

@testable import Harness

@Suite struct ColorsTests {
    @Test(
        arguments: [
            (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
            (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm", "NO_COLOR": "no"], false),
        ] as [(Bool, [String: String], Bool)])
    func `colours are for terminals whose owner wants them`(
        isTerminal: Bool, environment: [String: String], areOn: Bool
    ) {
        let colors = Colors(isTerminal: isTerminal, environment: environment)
        #expect(colors.areOn == areOn)
        #expect(colors.paint("FAILED", .red) == (areOn ? "\u{1B}[31mFAILED\u{1B}[0m" : "FAILED"))
    }

    @Test(arguments: [
        ("fulfilled: 1 request", "\u{1B}[32mfulfilled\u{1B}[0m: 1 request"),
        ("NOT fulfilled, 1 request:", "\u{1B}[31mNOT fulfilled\u{1B}[0m, 1 request:"),
        ("ABANDONED after 1 request, SIGHUP:", "\u{1B}[31mABANDONED\u{1B}[0m after 1 request, SIGHUP:"),
        ("#0 GET /fulfilled", "#0 GET /fulfilled"),
    ])
    func `a verdict has its colour`(line: String, painted: String) {
        #expect(Colors(isTerminal: true, environment: [:]).verdict(line) == painted)
        #expect(Colors.none.verdict(line) == line)
    }
}
