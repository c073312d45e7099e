import Testing

/// Progress and colours: on a terminal, for who wants them, and nowhere else.
@Suite struct RunTerminalTests {
    private func run(
        _ words: [String], hasOutput: Bool, environment: [String: String] = [:], columns: UInt16 = 80
    ) throws -> (drawn: String, output: String, status: Int32) {
        let terminal = try PseudoTerminal(columns: columns)
        let command = try Command(
            words, terminal: TerminalUse(terminal: terminal, hasOutput: hasOutput, environment: environment),
            in: try Folder(["first/hello": Sample.hello, "first/wrong": Sample.wrong]))
        let drawn = try terminal.readToEnd()
        let result = command.end()
        return (drawn, result.output, result.status)
    }

    @Test(arguments: [(["run", "first/hello", "--world", "simulated"], "3/3"), (["mutate", "first/hello"], "3/3")])
    func `progress is one line of standard error, drawn again and cleared`(words: [String], last: String) throws {
        let (drawn, output, status) = try run(words, hasOutput: false)
        #expect(status == 0)
        #expect(drawn.contains("━") && drawn.contains(last))
        #expect(!drawn.contains("\n") && drawn.hasSuffix("\r\u{1B}[2K"))
        #expect(!output.contains("\u{1B}") && !output.contains("\r") && !output.contains(last))
    }

    @Test func `a narrow terminal gets less of it`() throws {
        let drawn = try run(["run", "first/hello", "--world", "simulated"], hasOutput: false, columns: 12).drawn
        #expect(drawn.contains("3/3") && !drawn.contains("━") && !drawn.contains("hello"))
    }

    @Test func `verdicts have colours on a terminal`() throws {
        let passed = try run(["run", "first/hello", "--world", "simulated"], hasOutput: true)
        #expect(passed.drawn.hasSuffix("\u{1B}[32mPASSED\u{1B}[0m\r\n"))
        let failed = try run(["run", "first/wrong", "--world", "simulated"], hasOutput: true)
        #expect(failed.status == 1)
        #expect(failed.drawn.contains("\u{1B}[31mFAIL\u{1B}[0m  first/wrong"))
        #expect(failed.drawn.hasSuffix("\u{1B}[31mFAILED\u{1B}[0m\r\n"))
    }

    @Test func `NO_COLOR leaves the progress, a dumb terminal gets neither`() throws {
        let words = ["run", "first", "--world", "simulated"]
        let plain = try run(words, hasOutput: true, environment: ["NO_COLOR": "1"]).drawn
        #expect(plain.contains("━") && plain.hasSuffix("FAILED\r\n") && !plain.contains("\u{1B}[3"))
        let dumb = try run(words, hasOutput: true, environment: ["TERM": "dumb"]).drawn
        #expect(dumb.hasSuffix("FAILED\r\n") && !dumb.contains("\u{1B}"))
    }

    @Test func `without a terminal there is neither`() throws {
        let folder = try Folder(["first/hello": Sample.hello])
        let result = try Command.run("run", "--world", "simulated", in: folder)
        #expect(result.output.hasPrefix("3 cases in ") && !result.output.contains("\u{1B}"))
        #expect(result.errors.isEmpty)
    }
}
