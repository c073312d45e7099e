import Testing

@testable import ServerScript

@Suite struct BendTests {
    @Test(
        "A bend reads back from its text",
        arguments: [
            "0:0:code=206", "1:2:content-length.0=2^63", "0:0:status.2=30-digits", "0:3:chunk.1=oneless",
            "0:0:content-length~doubled", "0:0:+keep-alive=negative", "0:0:bomb=gzip-in-gzip", "0:0:flip=117.3",
            "12:0:swap=40.16", "every:every:code=503", "every:0:code=503", "0:every:code=503",
        ])
    func text(text: String) {
        let text = text.replacing("oneless", with: "one-less")
        #expect(Bend(text)?.description == text)
    }

    @Test(
        "What has other parts is no bend",
        arguments: [
            "", "0", "0:0", "0:0:", "x:0:code=200", "-1:0:code=200", "0:0:code=", "0:0:code=1000", "0:0:code=+5",
            "0:0:bomb=none", "all:0:code=200", ":0:code=200", "0:0:flip=1", "0:0:flip=1.8", "0:0:swap=1.0",
            "0:0:swap=1.4097", "0:0:Date~doubled", "0:0:a:b~doubled", "0:0:a/b~doubled",
            "0:0:a`b~doubled", "0:0:a{b~doubled", "0:0:a,b~doubled", "0:0:a.~doubled",
            "0:0:date~", "0:0:~doubled", "0:0:date.0=7", "0:0:date=0", "0:0:.0=0", "0:0:+date", "0:0:+nothing=0",
            "1234567890:0:code=200",
        ])
    func refused(text: String) { #expect(Bend(text) == nil) }

    @Test("Every change has a text of its own")
    func changes() {
        var changes = Bomb.allCases.map(Bend.Change.bomb)
        for edge in NumberEdge.allCases {
            changes += [.number("a", index: 1, edge), .chunkSize(1, edge)]
            changes += AddedField.allCases.map { .added($0, edge) }
        }
        changes += FieldChange.allCases.map { .field("a", $0) }
        #expect(changes.allSatisfy { Bend.Change($0.description) == $0 })
        #expect(Set(changes.map(\.description)).count == changes.count)
    }
}
