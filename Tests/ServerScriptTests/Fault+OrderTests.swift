import Testing

@testable import ServerScript

@Suite struct FaultOrderTests {
    private static let inOrder: [Fault.Landmark] = [
        .requestHead, .requestBody(0), .requestBody(3), .request, .statusLine(0), .head(4), .statusLine(9), .headEnd,
        .body(0), .body(7), .lastChunk, .trailers, .end, .idle(.zero),
    ]

    @Test func `places of an exchange follow each other`() {
        for (index, place) in Self.inOrder.enumerated() {
            for (other, second) in Self.inOrder.enumerated() { #expect(place.lies(before: second) == (index < other)) }
        }
        #expect(Fault.Landmark.chunk(1, .size).lies(before: .chunk(1, .data)))
        #expect(Fault.Landmark.chunk(1, .crlf).lies(before: .chunk(2, .size)))
        #expect(!Fault.Landmark.chunk(2, .size).lies(before: .chunk(1, .crlf)))
        #expect(Fault.Landmark.interim(0).lies(before: .interim(1)) && Fault.Landmark.interim(1).lies(before: .head(0)))
    }

    @Test func `where only playing can tell nothing is said`() {
        for (one, other) in [
            (Fault.Landmark.body(3), Fault.Landmark.chunk(0, .data)), (.request, .interim(0)),
            (.requestBody(1), .interim(0)),
        ] {
            #expect(!one.lies(before: other) && !other.lies(before: one))
        }
    }

    private func lost(_ faults: Fault...) -> [Fault.Landmark] { faults.objections.map(\.fault.landmark) }

    @Test func `behind an end nothing strikes, wherever it is written`() {
        let end = Fault(at: .body(4), do: .fin)
        #expect(lost(Fault(at: .end, do: .delay(.zero)), end) == [.end])
        #expect(lost(end, Fault(at: .body(4), do: .delay(.zero))) == [.body(4)])
        #expect(lost(Fault(at: .body(4), do: .delay(.zero)), end).isEmpty)
        #expect(lost(Fault(at: .headEnd, do: .delay(.zero)), end).isEmpty)
        #expect(lost(Fault(at: .headEnd, do: .record(.keyUpdate)), end).isEmpty)
    }

    @Test func `an end that may not come leaves what lies behind it`() {
        #expect(lost(Fault(at: .body(4), do: .fin, percent: 99), Fault(at: .end, do: .reset)).isEmpty)
    }

    @Test func `an idle connection has one fault`() {
        #expect(
            lost(Fault(at: .idle(.zero), do: .fin, percent: 50), Fault(at: .idle(.zero), do: .reset)) == [.idle(.zero)])
    }
}
