import Foundation
import Judge
import Testing

@testable import Serving

@Suite struct PortFileTests {
    @Test func `it appears whole, alone, and goes again`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ports-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try PortFile(folder + "/port", port: 4711)
        #expect(FileManager.default.contents(atPath: folder + "/port") == Data("4711\n".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["port"])
        file.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        #expect(throws: UsageError.self) { try PortFile(folder + "/none/port", port: 1) }
        // What is no plain file stays what it is.
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/dev/null")
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        for name in ["link", "pipe", "."] {
            #expect(throws: UsageError.self) { try PortFile(folder + "/" + name, port: 1) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link", "pipe"])
    }
}
