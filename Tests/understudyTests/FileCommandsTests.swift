import Foundation
import Testing

/// `show`, `list` and what the commands for files have in common, as processes.
@Suite struct FileCommandsTests {
    @Test func `show and list print what a run would play`() throws {
        let folder = try Folder(["first/hello": Sample.hello])
        let shown = try Command.run("show", "scenarios/first/hello.yaml", in: folder)
        #expect(shown.status == 0)
        #expect(shown.output.contains("GET /hello"))
        #expect(try Command.run("list", in: folder).output.contains("first/hello"))
        #expect(try Command.run("list", "--rows", in: folder).output.contains("1.B1"))
    }

    @Test func `an id is as good as a path`() throws {
        let folder = try Folder(["first/hello": Sample.hello])
        #expect(try Command.run("show", "first/hello", in: folder).output.contains("GET /hello"))
        #expect(try Command.run("lint", "first/hello", in: folder).output.contains("1 file, 0 errors"))
    }

    @Test(arguments: ["lint", "show", "serve"]) func `a file that is not there is no crash`(command: String) throws {
        let result = try Command.run(command, "scenarios/no/such.yaml", in: try Folder())
        #expect(result.status == 2)
        let text = result.output + result.errors
        #expect(text.hasPrefix("scenarios/no/such.yaml: error: cannot be read: No such file or directory\n"))
    }

    @Test func `a folder is none either`() throws {
        let result = try Command.run("show", "/", in: try Folder())
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("/: error: is a folder\n"))
    }

    @Test func `no row says so`() throws {
        let folder = try Folder(["first/hello": Sample.hello.replacingOccurrences(of: "rows: [1.B1]\n", with: "")])
        let result = try Command.run("list", "--rows", "first", in: folder)
        #expect(result.status == 0)
        #expect(result.errors.contains("none of these scenarios names a behaviour row"))
    }
}
