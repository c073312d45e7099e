import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Fault legality")
struct FaultLegalityTests {
    static let landmarks: [Landmark] = [
        .accept, .requestHead, .requestBody(1), .request, .interim(0), .statusLine(1), .head(1), .headEnd, .body(1),
        .end, .idle(.seconds(1)),
    ]
    static let effects: [Effect] = [.fin, .reset, .stall, .halfClose, .garbage, .delay(.seconds(1))]

    @Test("every cell but the pause of an idle connection is legal", arguments: landmarks)
    func cells(landmark: Landmark) {
        for effect in FaultLegalityTests.effects {
            let isIllegal = landmark == .idle(.seconds(1)) && effect == .delay(.seconds(1))
            #expect((FaultLegality.objection(to: effect, at: landmark) != nil) == isIllegal)
        }
    }

    @Test("the first four landmarks lie before the answer")
    func phases() {
        #expect(FaultLegalityTests.landmarks.filter(FaultLegality.strikesBeforeAnswer).count == 4)
        #expect(FaultLegalityTests.landmarks.filter(FaultLegality.isLegalAtAccept) == [.accept, .idle(.seconds(1))])
        #expect(FaultLegalityTests.effects.filter(FaultLegality.leavesAnswer) == [.delay(.seconds(1))])
    }
}
