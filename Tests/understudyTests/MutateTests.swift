import Testing

/// `understudy mutate` as a process.
@Suite struct MutateTests {
    @Test func `a sound scenario leaves no survivor, one that fails as it is says so`() throws {
        let sound = try Command.run("mutate", in: try Folder(["first/hello": Sample.hello]))
        #expect(sound.status == 0)
        #expect(sound.output.contains("mutants, 0 survive"))
        let wrong = try Command.run("mutate", in: try Folder(["first/wrong": Sample.wrong]))
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("first/wrong, delegate fails as it is"))
    }
}
