import Testing

@testable import SessionNetworking

@Suite struct FileTypeTests {
    @Test func `types and extensions lead to each other`() {
        #expect(FileType.mediaType(ofExtension: "HTM") == "text/html")
        #expect(FileType.mediaType(ofExtension: "") == "application/octet-stream")
        #expect(FileType.usualExtension(ofMediaType: "Image/JPEG") == "jpeg")
        #expect(FileType.usualExtension(ofMediaType: "application/javascript") == "js")
        #expect(FileType.usualExtension(ofMediaType: "application/octet-stream") == nil)
    }
}
