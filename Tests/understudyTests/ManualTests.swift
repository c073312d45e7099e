import Foundation
import Testing

/// `understudy manual`: the help texts as a page.
@Suite struct ManualTests {
    @Test func `the page has every subcommand with its options, and examples keep their lines`() throws {
        let page = try Command.run("manual", in: try Folder())
        #expect(page.status == 0)
        for part in [
            ".TH UNDERSTUDY 1 \"\" \"understudy ", ".SH NAME\nunderstudy \\- ", ".SH UNDERSTUDY RUN\n",
            ".SH UNDERSTUDY SERVE\n",
            "\\fBunderstudy serve\\fR [\\fIoption\\fR ...] [\\fIfile\\fR ...] [\\-\\- \\fIcommand\\fR ...]\n",
            ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\n", ".nf\n  understudy lint", "Exit status: 0",
            "One of simulated, sockets, both. Default: both.",
        ] {
            #expect(page.output.contains(part), "\(part)")
        }
        for part in [".SH UNDERSTUDY WORKER", ".SH UNDERSTUDY MANUAL", "Show the version"] {
            #expect(!page.output.contains(part), "\(part)")
        }
    }

    /// A line that begins with a dot and is no request would vanish without a word.
    @Test func `no text is taken for a request`() throws {
        let known: Set = [".TH", ".SH", ".PP", ".TP", ".br", ".nf", ".fi"]
        let lines = try Command.run("manual", in: try Folder()).output.split(separator: "\n")
        let requests = lines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        #expect(requests.filter { !known.contains(String($0.prefix { $0 != " " })) } == [])
        #expect(lines.filter { $0.contains("\\") }.allSatisfy { !$0.contains("\\ ") })
    }
}
