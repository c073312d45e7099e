import ClientMachines
import HTTPBasics
import Testing

@testable import Simulator

@Suite struct CounterCheckerTests {
    private static func sent(_ bytes: Int64, _ total: Int64, _ expected: DeclaredLength? = 10) -> Observation {
        tell(.sentBody(bytes: bytes, total: total, expected: expected))
    }

    private static func wrote(_ bytes: Int64, _ total: Int64, _ expected: DeclaredLength? = 10) -> Observation {
        tell(.wrote(bytes: bytes, total: total, expected: expected))
    }

    @Test(
        arguments: [
            [sent(4, 4), sent(6, 10)],
            [sent(4, 4, nil), sent(6, 10, nil)],
            [sent(10, 10), tell(.requestChanged(ClientRequest(url: URLReference()))), sent(3, 3), sent(7, 10)],
            [sent(10, 10), ask(redirect), sent(10, 10)],
            [sent(10, 10), input(.inputClosed(first)), sent(10, 10)],
            [wrote(4, 4), wrote(6, 10)],
            [tell(.resumed(offset: 6, expected: 10)), wrote(4, 10)],
            [tell(data), input(.delivered(one, bytes: 3)), input(.delivered(one, bytes: 1))],
        ] as [[Observation]])
    func `counters that add up pass`(observations: [Observation]) {
        #expect(findings(of: CounterChecker(), [start()] + observations).isEmpty)
    }

    @Test(
        arguments: [
            ([sent(4, 4), sent(4, 7)], "sent 4 more bytes, total 7, after a total of 4"),
            ([sent(4, 4), sent(4, 4)], "sent 4 more bytes, total 4, after a total of 4"),
            ([sent(0, 0)], "sent 0 more bytes, total 0, after a total of 0"),
            ([sent(11, 11)], "sent 11 bytes of a body of 10"),
            ([wrote(4, 4), wrote(4, 4)], "wrote 4 more bytes, total 4, after a total of 4"),
            (
                [tell(.resumed(offset: 6, expected: 10)), wrote(4, 4)],
                "wrote 4 more bytes, total 4, after a total of 6"
            ),
            ([wrote(12, 12)], "wrote 12 bytes of 10 expected"),
            ([wrote(4, 4, 10), wrote(4, 8, 11)], "10 bytes were expected, and now 11"),
            ([tell(data), input(.delivered(one, bytes: 5))], "5 bytes are called delivered, of 4 that were told"),
        ] as [([Observation], String)])
    func `counters that do not are found`(observations: [Observation], sentence: String) {
        #expect(findings(of: CounterChecker(), [start()] + observations) == [sentence])
    }
}
