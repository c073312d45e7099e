import RuntimeLibraries
import Testing

@Suite struct RuntimeLibraryTests {
    private typealias Length = @convention(c) (UnsafePointer<CChar>) -> Int

    @Test func `a function of a library that is there is called`() throws {
        let library = try #require(RuntimeLibrary("libc.so.6"))
        let length = try #require(library.function("strlen", as: Length.self))
        #expect(length("four") == 4)
    }

    @Test func `what is not there is nil`() throws {
        #expect(RuntimeLibrary("libunderstudy-nowhere.so.1") == nil)
        let library = try #require(RuntimeLibrary("libc.so.6"))
        #expect(library.function("understudy_nowhere", as: Length.self) == nil)
        #expect(library.address("understudy_nowhere") == nil)
    }

    @Test func `a Swift function is none of a library's`() throws {
        let library = try #require(RuntimeLibrary("libc.so.6"))
        #expect(library.function("strlen", as: ((String) -> Int).self) == nil)
    }
}
