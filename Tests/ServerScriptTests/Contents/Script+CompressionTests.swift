import Testing

@testable import ServerScript

@Suite struct ScriptCompressionTests {
    private static let gzip = Content.compressed(.counter(size: 5000), .gzip)

    private func script(_ bodies: Content...) -> Script {
        Script(routes: bodies.map { Route(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: $0))) })
    }

    @Test func `what a script compresses it can have compressed before anyone asks`() throws {
        var script = script(Self.gzip, .text("plain"))
        script.routes[0].exchange.request.body = .equals(Self.gzip)
        script.routes[0].exchange.reply?.timeline = [.repeat(2, [.raw(Self.gzip)])]
        #expect(script.hasCompressedBodies)
        let ready = try #require(script.compressingBodies()), plain = try #require(Self.gzip.plain())
        #expect(!ready.hasCompressedBodies)
        #expect(ready.routes[0].exchange.reply?.body == plain)
        #expect(ready.routes[0].exchange.request.body == .equals(plain))
        #expect(ready.routes[0].exchange.reply?.timeline == [.repeat(2, [.raw(plain)])])
        #expect(ready.routes[1] == script.routes[1])
    }

    @Test func `a text that waits for a URL stays as it is`() {
        let script = script(.compressed(.text("see $origin/b"), .gzip))
        #expect(script.compressingBodies() == script)
    }

    @Test func `the limits are those of all different bodies together`() {
        let other = Content.compressed(.random(seed: 1, size: 3000), .gzip)
        #expect(script(Self.gzip, Self.gzip).compressingBodies(plainLimit: 5000) != nil)
        #expect(script(Self.gzip, other).compressingBodies(plainLimit: 8000) != nil)
        #expect(script(Self.gzip, other).compressingBodies(plainLimit: 7999) == nil)
        #expect(script(Self.gzip, other).compressingBodies(limit: 3000) == nil)
    }
}
