import Foundation
import Testing

/// `understudy lint` as a process.
@Suite struct LintTests {
    @Test func `lint says what is wrong, where, and what to do`() throws {
        let folder = try Folder(["first/hello": Sample.hello, "first/misspelt": Sample.misspelt])
        let result = try Command.run("lint", in: folder)
        #expect(result.status == 2)
        #expect(result.output.contains("first/misspelt.yaml:5:"))
        #expect(result.output.contains("did you mean 'reply'?"))
        #expect(result.output.contains("2 files, 1 error, 0 warnings"))
        let twice = try Command.run("lint", "scenarios/first/hello.yaml", "./scenarios/first/hello.yaml", in: folder)
        #expect(twice.status == 0)
        #expect(twice.output.contains("1 file, 0 errors"))
    }

    @Test func `a case that nothing plays is a warning`() throws {
        let text = """
            needs: {styles: [async]}
            server: [{request: GET /}]
            client: [{task: t, request: GET /}, {suspend: t}, {resume: t}, {await: t}]
            expect: {t: ok}

            """
        let folder = try Folder(["first/nowhere": text])
        let result = try Command.run("lint", in: folder)
        #expect(result.status == 0)
        #expect(result.output.contains("first/nowhere.yaml:1:1: warning: no world and style plays this case"))
        #expect(result.output.contains("async methods give no task to hold on to"))
        #expect(result.output.contains("1 file, 0 errors, 1 warning"))
        #expect(try Command.run("lint", "--strict", in: folder).status == 2)
    }
}
