import Foundation
import ScenarioFormat
import Testing

@testable import Harness

@Suite struct FirstScenarioTests {
    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func `it has no mistakes, and the id of its place`() throws {
        try Self.inFolder { folder in
            let path = try FirstScenario.write(into: folder)
            let result = ScenarioReader.read(path: path, root: ScenarioLibrary.root(around: path))
            #expect(result.diagnostics.isEmpty)
            #expect(result.scenario?.id == "first/busy")
            #expect(result.scenario?.cases.count == 1)
        }
    }

    @Test func `what is there stays as it is`() throws {
        try Self.inFolder { folder in
            let path = try FirstScenario.write(into: folder)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: FirstScenario.NotWritten.exists(path: path)) { try FirstScenario.write(into: folder) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        }
    }

    @Test func `a file in the way is named`() throws {
        try Self.inFolder { file in
            try Data().write(to: URL(fileURLWithPath: file))
            let error = #expect(throws: FirstScenario.NotWritten.self) { _ = try FirstScenario.write(into: file) }
            #expect(error.map { "\($0)" }?.hasSuffix("cannot be written: \(file) is a file") == true)
        }
    }

    @Test func `a folder that cannot be made is named`() throws {
        let error = #expect(throws: FirstScenario.NotWritten.self) { _ = try FirstScenario.write(into: "/dev/null/x") }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("/dev/null/x/scenarios/first/busy.yaml cannot be written: "))
    }
}
