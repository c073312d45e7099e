import ClientMachines
import HTTPBasics
import NIOCore
import Testing

@testable import Simulator

@Suite struct BodyCheckerTests {
    private static let received = input(.received(first, ByteBuffer()))
    private static func sent(_ text: String, ends: Bool = true, isCoded: Bool = false) -> [Observation] {
        [
            opened(), wire(.requestBegan(exchange: 0, method: "GET", target: "/")),
            wire(.responseBegan(exchange: 0, status: 200, isCoded: isCoded)),
            wire(.responseBody(exchange: 0, ByteBuffer(string: text))),
        ] + (ends ? [wire(.responseEnded(exchange: 0))] : [])
    }
    private static let looks = output(.openBodyFile(one, BodyFile(path: "/f")))
    private static let looked = input(.bodyFileOpened(one, FileVersion(size: 4, modified: 1)))
    private static func told(_ text: String) -> Observation { tell(.data(ByteBuffer(string: text))) }
    private static func written(_ text: String) -> Observation {
        output(.file(one, .write(ByteBuffer(string: text))))
    }
    private static let gone = Response(head: ResponseHead(status: 410), url: URLReference(), expectedLength: 0)

    @Test(
        arguments: [
            [start()] + sent("data") + [received, tell(.response(okay)), told("da"), told("ta"), tell(success)],
            [start()] + sent("data") + [received, tell(.response(okay)), told("da"), tell(failure)],
            [start()] + sent("data") + [
                received, ask(.response(okay)), answer(.response(allow: true)), told("data"),
                tell(success),
            ],
            [start()] + sent("data", isCoded: true) + [
                received, tell(.response(okay)), told("decoded"), tell(success),
            ],
            [start()] + sent("data") + [
                wire(.unsure(exchange: 0)), received, tell(.response(okay)), told("?"),
                tell(success),
            ],
            // An answer that came before its request: none behind it can be told apart.
            sent("data") + [
                wire(.unsure(exchange: 1)), start(), wire(.requestBegan(exchange: 1, method: "GET", target: "/")),
                received, tell(.response(gone)), tell(success),
            ],
            [start()] + sent("data") + [
                received, output(.file(one, .open(path: "/f", offset: 0))),
                input(.fileOpened(one)), written("data"), tell(success),
            ],
            [start()] + sent("data") + [
                received, looks, looked,
                tell(.response(okay)), told("data"), tell(success),
            ],
            [start(suspended: true), input(.resume(one)), tell(.response(okay)), told("late"), tell(success)],
        ] as [[Observation]])
    func `the server's bytes pass`(observations: [Observation]) {
        #expect(findings(of: BodyChecker(), observations).isEmpty)
    }

    @Test(
        arguments: [
            (
                sent("data") + [received, tell(.response(okay)), told("dota")],
                "body bytes differ from what the server sent, first at offset 1 of 4"
            ),
            (
                sent("data") + [received, tell(.response(okay)), told("da"), told("da")],
                "body bytes differ from what the server sent, first at offset 2 of 4"
            ),
            (
                sent("data") + [received, tell(.response(okay)), told("data!")],
                "body bytes differ from what the server sent, first at offset 4 of 4"
            ),
            (
                sent("data") + [received, tell(.response(okay)), told("da"), tell(success)],
                "success with 2 of 4 body bytes"
            ),
            (
                sent("data", ends: false) + [received, tell(.response(okay)), told("data"), tell(success)],
                "success, but the server's answer is not whole: 4 body bytes so far"
            ),
            (sent("data") + [received, tell(.response(gone))], "a response 410 was told, the server sent 200"),
            (
                sent("data") + [received, output(.file(one, .open(path: "/f", offset: 0))), written("dat4")],
                "body bytes differ from what the server sent, first at offset 3 of 4"
            ),
            (
                sent("data") + [
                    received, looks, looked,
                    tell(.response(okay)), told("dada"),
                ],
                "body bytes differ from what the server sent, first at offset 2 of 4"
            ),
            (
                sent("data") + [
                    looks, looked,
                    tell(.response(okay)), told("data"),
                ],
                "an answer that no server sent"
            ),
            ([told("out of thin air")], "an answer that no server sent"),
            (
                sent("data") + [start(two), received, tell(.response(okay)), received, tell(.response(okay), two)],
                "the answer of exchange 0 went to task 1 already"
            ),
        ] as [([Observation], String)])
    func `other bytes are found`(observations: [Observation], sentence: String) {
        #expect(findings(of: BodyChecker(), [start()] + observations) == [sentence])
    }

    @Test func `after a redirect the next exchange counts`() {
        let observations =
            [start()] + Self.sent("moved") + [
                Self.received, ask(redirect), answer(.redirect(nil)),
                opened(1, second), wire(.requestBegan(exchange: 0, method: "GET", target: "/next"), on: 1),
                wire(.responseBegan(exchange: 0, status: 200, isCoded: false), on: 1),
                wire(.responseBody(exchange: 0, ByteBuffer(string: "here")), on: 1),
                wire(.responseEnded(exchange: 0), on: 1), input(.received(second, ByteBuffer())),
                tell(.response(okay)), Self.told("here"), tell(success),
            ]
        #expect(findings(of: BodyChecker(), observations).isEmpty)
    }
}
