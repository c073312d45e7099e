import Testing

@testable import ServerScript

@Suite("Landmarks as text")
struct FaultWordsTests {
    @Test(
        "Each landmark that is written down reads back",
        arguments: [
            "listen", "accept", "request-head", "request-body+7", "request", "interim[2]", "status-line+1", "head+9",
            "head-end",
            "body+400000", "chunk[0].size", "chunk[1].data", "chunk[2].crlf", "last-chunk", "trailers", "end",
        ])
    func back(text: String) {
        guard case .value(let landmark)? = Fault.Landmark.read(text) else {
            Issue.record("\(text) is none")
            return
        }
        #expect(landmark.description == text)
    }

    @Test(arguments: [
        "", "body", "body+", "chunk[0]", "chunk[x].size", "chunk].size[", "interim[0]x", "end+1", "every",
    ])
    func `what is none is none`(text: String) {
        if case .value(let landmark)? = Fault.Landmark.read(text) { Issue.record("\(text) is \(landmark)") }
    }
}
