import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import ServerScript
import Testing

@testable import Simulator

@Suite struct SimulatedFilesTests {
    /// Downloads into a fresh directory; what the file holds, and how the task ended.
    private func download(rules: [FaultRule]) throws -> (content: String?, result: String, journal: String) {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let options = SimulationOptions(directory: directory.path, rules: rules)
        let simulation = Simulation(server: TinyServer(body: "content"), script: Script(), options)
        let sink = RecordingSink()
        let engine = simulation.makeEngine(
            machine: TinyClient(directory: directory.path), settings: ClientSettings(), sink: sink)
        engine.submit(.start(TaskID(1), .get(kind: .download(resuming: nil)), suspended: false))
        #expect(simulation.run() == .idle)
        #expect(simulation.violations.isEmpty)
        let content = try? String(contentsOf: directory.appendingPathComponent("1"), encoding: .utf8)
        return (content, try #require(sink.results[1]), simulation.journal.text)
    }

    @Test func `a download grows in a real file`() throws {
        let download = try download(rules: [])
        #expect(download.content == "content")
        #expect(download.result == "success")
        #expect(download.journal.contains("fileWrote t1 7"))
    }

    @Test(arguments: [
        (DiskFault.Landmark.open, Failure.Kind.cannotCreateFile), (.write(from: 0), .cannotWriteToFile),
        (.close, .cannotCloseFile),
    ])
    func `a planted disk error fails the download and leaves no file`(
        landmark: DiskFault.Landmark, kind: Failure.Kind
    ) throws {
        let download = try download(rules: [.disk(DiskFault(at: landmark, do: .full))])
        #expect(download.result == kind.rawValue)
        #expect(download.content == nil)
    }

    @Test func `the directory is not in the journal`() throws {
        #expect(try download(rules: []).journal == download(rules: []).journal)
    }
}
