import Foundation
import Testing

/// `lint`, `show` and `list` as processes.
@Suite struct FileCommandsTests {
    @Test func `lint says what is wrong, where, and what to do`() throws {
        let folder = try Folder(["first/hello": Sample.hello, "first/misspelt": Sample.misspelt])
        let result = try Command.run("lint", in: folder)
        #expect(result.status == 2)
        #expect(result.output.contains("first/misspelt.yaml:5:"))
        #expect(result.output.contains("did you mean 'reply'?"))
        #expect(result.output.contains("2 files, 1 error, 0 warnings"))
        #expect(try Command.run("lint", "scenarios/first/hello.yaml", in: folder).status == 0)
    }

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
        #expect((result.output + result.errors).contains("no/such.yaml"))
    }
}
