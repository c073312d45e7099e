import Testing

@testable import ServerScript

@Suite struct FaultTableTests {
    @Test("Only a pause of an idle connection is illegal")
    func illegalCells() {
        let illegal = Landmark.Kind.allCases.flatMap { kind in
            Effect.Kind.allCases.filter { !kind.legalEffects.contains($0) }.map { "\(kind.rawValue) \($0.rawValue)" }
        }
        #expect(illegal == ["idle delay"])
    }

    @Test("Landmarks read as a scenario file writes them")
    func descriptions() {
        let landmarks: [Landmark] = [
            .accept, .requestHead, .requestBody(3), .request, .interim(1), .statusLine(2), .head(9), .headEnd, .body(7),
            .end,
        ]
        let words = [
            "accept", "request-head", "request-body+3", "request", "interim[1]", "status-line+2", "head+9", "head-end",
            "body+7", "end",
        ]
        #expect(landmarks.map(\.description) == words)
    }

    @Test("A landmark before the reply needs no reply, a connection's own needs no exchange")
    func places() {
        #expect(Landmark.Kind.allCases.filter(\.isBeforeReply) == [.accept, .requestHead, .requestBody, .request])
        #expect(Landmark.Kind.allCases.filter(\.isLegalWithoutExchange) == [.accept, .idle])
    }
}
