import Testing

@testable import ServerScript

@Suite struct FaultTableTests {
    @Test("Illegal are a pause of an idle connection, and whatever needs a connection before there is one")
    func illegalCells() {
        let illegal = Fault.Landmark.Kind.allCases.flatMap { kind in
            Fault.Effect.Kind.allCases.filter { !kind.legalEffects.contains($0) }.map {
                "\(kind.rawValue) \($0.rawValue)"
            }
        }
        #expect(
            illegal == [
                "listen fin", "listen truncate", "listen halfClose", "listen garbage", "listen delay", "listen record",
                "accept record", "idle delay",
            ])
    }

    @Test("Landmarks read as a scenario file writes them")
    func descriptions() {
        let landmarks: [Fault.Landmark] = [
            .accept, .requestHead, .requestBody(3), .request, .interim(1), .statusLine(2), .head(9), .headEnd, .body(7),
            .end, .listen, .chunk(2, .size), .chunk(0, .data), .chunk(1, .crlf), .lastChunk, .trailers,
        ]
        let words = [
            "accept", "request-head", "request-body+3", "request", "interim[1]", "status-line+2", "head+9", "head-end",
            "body+7", "end", "listen", "chunk[2].size", "chunk[0].data", "chunk[1].crlf", "last-chunk", "trailers",
        ]
        #expect(landmarks.map(\.description) == words)
    }

    @Test("A landmark before the reply needs no reply, a connection's own needs no exchange")
    func places() {
        let early: [Fault.Landmark.Kind] = [.listen, .accept, .requestHead, .requestBody, .request]
        #expect(Fault.Landmark.Kind.allCases.filter(\.isBeforeReply) == early)
        #expect(Fault.Landmark.Kind.allCases.filter { $0.homes.contains(.host) } == [.listen])
        #expect(Fault.Landmark.Kind.allCases.filter { $0.homes.contains(.accept) } == [.accept, .idle])
        #expect(Fault.Landmark.Kind.allCases.filter { !$0.homes.contains(.exchange) } == [.listen, .accept])
    }
}
