import Foundation
import Testing

@testable import ScenarioFormat

@Suite("Scenario reader")
struct ScenarioReaderTests {
    @Test("every mistake has its message", arguments: Goldens.files(in: "Mistakes", ending: ".yaml"))
    func mistake(file: String) throws {
        let folder = Goldens.folder.appendingPathComponent("Mistakes")
        let path = folder.appendingPathComponent(file)
        let result = ScenarioReader.read(
            path: path.path, root: folder.path, knownRows: ["1.C1", "1.C2", "2.I17"])
        let text = result.diagnostics.map { $0.rendered() + "\n" }.joined()
        try Goldens.expect(text, matches: path.deletingPathExtension().appendingPathExtension("txt"))
        #expect(!result.diagnostics.isEmpty)
        #expect((result.scenario == nil) == result.hasErrors)
    }

    @Test("good files read without a word", arguments: Goldens.files(in: "Good", ending: ".yaml"))
    func good(file: String) {
        let folder = Goldens.folder.appendingPathComponent("Good")
        let result = ScenarioReader.read(path: folder.appendingPathComponent(file).path, root: folder.path)
        #expect(result.diagnostics.map { $0.rendered() } == [])
        #expect(result.scenario != nil)
    }

    @Test("the project's own scenarios read without a word")
    func ownScenarios() throws {
        let root = Goldens.package.appendingPathComponent("scenarios").path
        let library = try #require(ScenarioLibrary(root: root))
        #expect(!library.entries.isEmpty)
        for entry in library.entries {
            let result = ScenarioReader.read(path: entry.path, root: root)
            #expect(result.diagnostics.map { $0.rendered() } == [])
            #expect(result.scenario?.id == entry.id)
        }
    }

    @Test("the scenarios of the documentation read without a word")
    func documentation() throws {
        let file = Goldens.package.appendingPathComponent("Documentation/SCENARIO-FORMAT.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let blocks = page.split(separator: "```yaml\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 3)
        for block in blocks {
            let result = ScenarioReader.read(text: String(block), file: "documentation.yaml")
            #expect(result.diagnostics.map { $0.rendered() } == [])
        }
    }

    @Test("what is no scenario file is one diagnostic")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let missing = ScenarioReader.read(path: folder.path + "/none.yaml", root: folder.path)
        let reason = "error: cannot be read: No such file or directory"
        #expect(missing.diagnostics.map { $0.rendered() } == ["\(folder.path)/none.yaml: \(reason)"])
        let itself = ScenarioReader.read(path: folder.path, root: folder.path)
        #expect(itself.diagnostics.map { $0.rendered() } == ["\(folder.path): error: is a folder"])
        try folder.write([0xFF, 0xFE, 0x00], to: "binary.yaml")
        let binary = ScenarioReader.read(path: folder.path + "/binary.yaml", root: folder.path)
        #expect(binary.diagnostics.map { $0.rendered() } == ["\(folder.path)/binary.yaml: error: not UTF-8"])
        try folder.write(Array(repeating: 0x23, count: 256 * 1024 + 1), to: "large.yaml")
        let large = ScenarioReader.read(path: folder.path + "/large.yaml", root: folder.path)
        #expect(
            large.diagnostics.map { $0.rendered() } == [
                "\(folder.path)/large.yaml: error: the file is larger than 256 KiB"
            ])
    }

    @Test("body files stay inside the scenario's folder")
    func bodyFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("outside".utf8), to: "outside.txt")
        try folder.write(Array("inside".utf8), to: "topic/inside.txt")
        try folder.link("topic/escape.txt", to: folder.path + "/outside.txt")
        try folder.link("topic/loop", to: folder.path + "/topic/loop")
        func body(_ name: String) throws -> ReadResult {
            let text = "server: [{request: GET /, reply: {body: {file: \"\(name)\"}}}]\n"
            try folder.write(Array(text.utf8), to: "topic/case.yaml")
            return ScenarioReader.read(path: folder.path + "/topic/case.yaml", root: folder.path)
        }
        let good = try body("inside.txt")
        guard case .exchange(let exchange)? = good.scenario?.cases.first?.script.steps.first?.action else {
            Issue.record("no exchange")
            return
        }
        #expect(exchange.reply?.body == .bytes(Array("inside".utf8)))
        for name in [
            "/etc/passwd", "../outside.txt", "escape.txt", "a/../../outside.txt", "loop", "none.txt", ".", "~/x", "",
        ] {
            let result = try body(name)
            #expect(result.scenario == nil, "\(name) was read")
            #expect(result.diagnostics.count == 1)
        }
    }

    @Test("mutated files never trap and never pass with an error")
    func mutations() throws {
        var random = SplitMix(state: 20_260_829)
        let sources = try Goldens.files(in: "Good", ending: ".yaml").map { try Goldens.text("Good/" + $0) }
        for round in 0..<600 {
            var bytes = Array(sources[round % sources.count].utf8)
            for _ in 0...random.next(below: 4) { mutate(&bytes, &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            let result = ScenarioReader.read(text: text, file: "fuzz.yaml")
            #expect((result.scenario == nil) == result.hasErrors)
            #expect(result.diagnostics.count <= 21)
            for diagnostic in result.diagnostics { #expect(diagnostic.rendered().utf8.count < 8000) }
            if let scenario = result.scenario {
                for item in scenario.cases { #expect(item.scriptedWait >= .zero) }
                #expect(!ScenarioPrinter.show(scenario).isEmpty)
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        guard !bytes.isEmpty else { return }
        let place = random.next(below: bytes.count)
        switch random.next(below: 6) {
        case 0: bytes[place] = UInt8(random.next(below: 256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.next(below: 12)))
        case 2:
            bytes.insert(
                contentsOf: Array("{}[]:,-&*!|>'\"$%@#\n \t~<".utf8.shuffled(using: &random).prefix(2)), at: place)
        case 3:
            let end = min(bytes.count, place + random.next(below: 60))
            bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.next(below: bytes.count))
        case 4:
            let words = [
                "999999999999999999999", "-1", "$x", "<<", "yes", "every", "{a: ", "[[[[", "01", "1e9", "\u{0}",
            ]
            bytes.insert(contentsOf: Array(words[random.next(below: words.count)].utf8), at: place)
        default: bytes.swapAt(place, random.next(below: bytes.count))
        }
    }
}
