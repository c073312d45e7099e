import ServerScript
import Testing

@testable import Cookbook

@Suite("Faults in a URL")
struct FaultPathTests {
    @Test(arguments: [
        ("/cut/body+500/reset?size=1MiB", [Fault(at: .body(500), do: .reset)]),
        ("/cut/body%2B500/fin", [Fault(at: .body(500), do: .fin)]),
        ("/stall/head-end", [Fault(at: .headEnd, do: .stall)]),
        ("/garbage/request/get", [Fault(at: .request, do: .garbage)]),
        ("/pause/status-line+3/0.5/get", [Fault(at: .statusLine(3), do: .delay(.milliseconds(500)))]),
        ("/chunked/100/cut/chunk[2].size/half-close", [Fault(at: .chunk(2, .size), do: .halfClose)]),
        ("/chunked/100/cut/last-chunk/truncate", [Fault(at: .lastChunk, do: .truncate)]),
        ("/cut/idle+900ms/fin/get", [Fault(at: .idle(.milliseconds(900)), do: .fin)]),
        ("/interim/103/cut/interim[0]/fin/get", [Fault(at: .interim(0), do: .fin)]),
        ("/cut/trailers/fin/trailers?X=1", [Fault(at: .trailers, do: .fin)]),
        ("/cut/chunk[1].data/fin/stream/2", [Fault(at: .chunk(1, .data), do: .fin)]),
        ("/chance/30/cut/request/fin", [Fault(at: .request, do: .fin, percent: 30)]),
        ("/chance/30%25/cut/request/fin/get", [Fault(at: .request, do: .fin, percent: 30)]),
        (
            "/pause/head-end/1/cut/end/reset/get",
            [Fault(at: .headEnd, do: .delay(.seconds(1))), Fault(at: .end, do: .reset)]
        ),
    ])
    func `landmarks and effects are the script's own`(target: String, faults: [Fault]) {
        let asked = Asked("GET", target)
        #expect(asked.status == 200, "\(asked.text)")
        #expect(asked.improvisation?.exchange.faults == faults)
    }

    @Test(arguments: [
        ("/cut", "/cut: it is /cut/{landmark}/{effect}"), ("/cut/body+1", "/cut: it is /cut/{landmark}/{effect}"),
        ("/cut//fin", "/cut: it is /cut/{landmark}/{effect}"),
        ("/cut/bdy+5/fin", "landmark: 'bdy+5' is none; did you mean 'body'? allowed: "),
        ("/cut/body+x/fin", "landmark: 'body+x' is not a size"), ("/cut/body/fin", "landmark: 'body' is none; "),
        ("/cut/body+99999999999999999999/fin", "landmark: 'body+99999999999999999999' is too large"),
        ("/cut/request/fim", "effect: 'fim' is none; did you mean 'fin'? allowed: "),
        ("/cut/listen/reset", "listen: no request has come by then"),
        ("/cut/accept/fin", "accept: no request has come by then"),
        ("/pause/idle+1s/1s/get", "idle+1.0 seconds: a pause of an idle connection has no effect"),
        ("/cut/head-end/bad-record", "bad-record: there is no TLS here"),
        ("/cut/body+500/fin/bytes/100", "the body has 100 bytes, so body+500 is never reached: the answer /body"),
        ("/cut/body+1/fin/status/200", "the body has 0 bytes"),
        ("/cut/status-line+99/fin/get", "the status line has 17 bytes"),
        ("/cut/chunk[0].size/fin", "a fault at 'chunk[0].size' needs a chunked answer: put /chunked/1KiB in front"),
        ("/chunked/64KiB/cut/chunk[1].size/fin", "there is no chunk[1]: they count from 0, and 1 are there"),
        ("/cut/interim[0]/fin/get", "there is no interim[0]"), ("/every/0/get", "n: 0 is not from 1 to 1000000"),
        ("/first/x/get", "n: 'x' is not a whole number"), ("/chance/101/get", "percent: 101 is not from 0 to 100"),
        ("/fail/100/get", "status: 100 is not from 200 to 999"), ("/rate/0/get", "size: 0 is not from 1"),
        ("/split/0/get", "n: 0 is not from 1"), ("/chunked/0/get", "size: 0 is not from 1"),
        ("/length/%0D%0A/get", "text: up to 64 characters"), ("/encode/compress/get", "coding: 'compress' is none; "),
        ("/encode/deflate+length/get", "damage of deflate: 'length' is none; "),
        ("/interim/101/get", "status: after 101 comes no HTTP"), ("/read/x/get", "size: 'x' is not a size"),
        ("/split/1/gett", "'gett' is neither a fault nor an answer; did you mean '/get'? "),
        ("/pause/end/601s/get", "time: more than 600 seconds"),
        (
            String(repeating: "/close", count: 17) + "/get",
            "more than 16 words before the answer"
        ),
    ])
    func `a mistake is named, with what is allowed in its place`(target: String, text: String) {
        let asked = Asked("GET", target)
        #expect(asked.status == 400)
        #expect(asked.text.hasPrefix(text), "\(asked.text)")
        #expect(asked.improvisation?.exchange.faults.isEmpty == true)
    }

    @Test("The words change how the answer is put on the wire, and add up")
    func wire() {
        let asked = Asked("GET", "/rate/10KiB/split/7/chunked/16/interim/103/read/none/read-rate/1KiB/length/ten/get")
        #expect(asked.reply?.sendRate == 10 << 10)
        #expect(asked.reply?.timeline == [.split(7)])
        #expect(asked.reply?.framing == .chunked(size: 16))
        #expect(asked.reply?.interim == [Interim(status: 103)])
        #expect(asked.improvisation?.exchange.readBody == ReadBody.none)
        #expect(asked.improvisation?.exchange.readRate == 1 << 10)
        #expect(asked.field("Content-Length") == "ten")
        #expect(Asked("GET", "/close/get").reply?.framing == .close)
        let damaged = Asked("GET", "/encode/gzip+checksum/html"), whole = Asked("GET", "/encode/gzip/html")
        #expect(damaged.bytes.count == whole.bytes.count && damaged.bytes != whole.bytes)
        #expect(damaged.field("Content-Encoding") == "gzip")
    }

    @Test("Conditions hold for what stands behind them, by the turn of the URL")
    func conditions() {
        let faults = { (target: String, turn: Int) in
            Asked("GET", target, turn: turn).improvisation?.exchange.faults.count
        }
        #expect((0..<6).map { faults("/every/3/cut/request/fin", $0) } == [0, 0, 1, 0, 0, 1])
        #expect((0..<4).map { faults("/first/2/cut/request/fin", $0) } == [1, 1, 0, 0])
        #expect((0..<4).map { faults("/cut/head-end/fin/first/2/cut/request/fin/get", $0) } == [2, 2, 1, 1])
        let status = { (target: String, turn: Int) in Asked("GET", target, turn: turn).status }
        #expect((0..<4).map { status("/first/2/fail/503/get", $0) } == [503, 503, 200, 200])
        let drawn = (0..<200).map { Asked("GET", "/chance/25/fail/500/get", draw: $0 &* 0x9e37_79b9_7f4a_7c15).status }
        #expect((25...80).contains(drawn.count { $0 == 500 }))
    }

    @Test("HEAD has no body to be cut in; who asks for a part may not come to the place")
    func parts() {
        #expect(Asked("HEAD", "/cut/body+500/fin/bytes/1000").status == 200)
        #expect(Asked("GET", "/cut/body+500/fin", fields: [("Range", "bytes=0-1")]).status == 200)
        #expect(Asked("GET", "/cut/body+70000/fin").status == 400)
        #expect(Asked("GET", "/cut/head-end/bad-record", scheme: "https").status == 200)
    }

    @Test("Where the body is not known before it has come, the place is not checked")
    func echo() {
        let asked = Asked("POST", "/cut/body+100000/fin/post", body: "x")
        #expect(asked.status == 200 && asked.improvisation?.exchange.faults.count == 1)
    }
}
