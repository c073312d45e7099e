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
    }
}
