import Digests
import HTTPBasics
import ServerScript

/// The same in other forms.
extension Recipe {
    static let formats: [Recipe] = [
        compressed("gzip", .gzip, "gzipped"), compressed("deflate", .deflate, "deflated"),
        compressed("brotli", .brotli, "brotli"), compressed("zstd", .zstd, "zstd"),
        Recipe("/encoding/utf8", "A page of text in UTF-8.") { _ in .html(HTMLText.page("UTF-8", utf8)) },
        Recipe("/html", "A page of HTML.") { _ in
            .html(HTMLText.page("A page", "<h1>A page</h1>\n<p>It has a heading and a paragraph.</p>"))
        },
        Recipe("/json", "A document in JSON.", differs: "another text") { _ in
            .made("application/json", Array(json.utf8))
        },
        Recipe("/xml", "A document in XML.", differs: "another text") { _ in .made("application/xml", Array(xml.utf8))
        },
        Recipe("/robots.txt", "Some rules for robots.") { _ in .plain("User-agent: *\nDisallow: /deny\n") },
        Recipe("/deny", "What robots should not read.", differs: "another text") { _ in
            .plain("robots.txt says that robots should not be here\n")
        },
        Recipe(
            "/base64/{value}", "What this says, decoded (RFC 4648, either alphabet).",
            example: "/base64/dW5kZXJzdHVkeQ==",
            differs: "plain text, never HTML; what is wrong is refused"
        ) { call throws(CookbookMistake) in
            guard let bytes = decoded(call["value"]) else { throw CookbookMistake("value: this is not base64") }
            var reply = Reply.plain("")
            reply.body = .bytes(bytes)
            return reply
        },
        Recipe("/uuid", "A UUID, version 4, from the seed.") { call in
            .json(.object([("uuid", .text(uuid(call.request.draw(1), call.request.draw(2))))]))
        },
    ]

    private static func compressed(_ name: String, _ coding: Content.Coding, _ member: String) -> Recipe {
        let isEverywhere = coding.system == nil
        let about = "What was sent, in this coding." + (isEverywhere ? "" : " \(unavailable)")
        return Recipe("/\(name)", about, example: "--compressed /\(name)") { call in
            if let missing = coding.system?.missingLibrary { return .missing(missing) }
            let echo = RequestEcho(call)
            guard case .object(let members) = echo.json("headers", "method", "origin") else { return .bare(500) }
            let json = AnswerJSON.sorted(members + [(member, .bool(true))])
            return Reply.json(json).encoded(coding, damage: nil) ?? .bare(500)
        }
    }

    private static let unavailable = "501 where the system has no library for it."

    /// The alphabet of URLs counts for the other, and padding may be left out.
    private static func decoded(_ text: String) -> [UInt8]? {
        var bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while !bytes.count.isMultiple(of: 4) { bytes.append(ASCII.equals) }
        return Base64.decode(String(decoding: bytes, as: UTF8.self))
    }

    /// RFC 9562 5.4.
    static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        let first = (high & 0xffff_ffff_ffff_0fff | 0x4000), second = (low & 0x3fff_ffff_ffff_ffff | 1 << 63)
        let digits = Array((first.hexadecimal + second.hexadecimal).utf8)
        let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    private static let utf8 = """
        <h1>Text in UTF-8</h1>
        <pre>
        Latin     Füße, garçon, ñandú, Łódź, İstanbul, Æsir
        Greek     Ξεσκεπάζω την ψυχοφθόρα βδελυγμία
        Cyrillic  Съешь ещё этих мягких булок
        Hebrew    דג סקרן שט בים
        Arabic    نص حكيم له سر قاطع
        Devanagari ऋषियों को सताने वाले
        Thai      เป็นมนุษย์สุดประเสริฐ
        Kana      いろはにほへと ちりぬるを
        Han       天地玄黃 宇宙洪荒
        Hangul    키스의 고유조건은
        Symbols   ∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, 2 × 2 ≠ 5, € 3,50, ½, ✓
        Beyond 16 bits  😀 𝄞 𐍈
        Combining a̐ é ö̲
        </pre>
        """

    private static let json = """
        {
          "slideshow": {
            "author": "Understudy",
            "date": "today",
            "slides": [
              {"title": "A server that fails where you say", "type": "all"},
              {"items": ["at a byte", "at a landmark", "at a time"], "title": "Where", "type": "all"}
            ],
            "title": "Sample slides"
          }
        }

        """

    private static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- A sample of slides -->
        <slideshow title="Sample slides" date="today" author="Understudy">
          <slide type="all"><title>A server that fails where you say</title></slide>
          <slide type="all">
            <title>Where</title>
            <item>at a byte</item>
            <item>at a <em>landmark</em></item>
            <item/>
          </slide>
        </slideshow>

        """
}

extension Reply {
    /// The body in a coding; nil when it is too large to be compressed at once.
    func encoded(_ coding: Content.Coding, damage: Content.Damage?) -> Reply? {
        guard let size = body.plainSize, size <= CookbookLimits.heldSize,
            let bytes = Content.compressed(body, coding, damage).plain()
        else { return nil }
        var reply = self
        reply.body = bytes
        reply.isRanged = false
        reply.fields.set("Content-Encoding", coding.name)
        return reply
    }

    /// For what takes a library that this machine lacks.
    static func missing(_ library: String) -> Reply {
        .plain("this takes \(library), which is not installed here\n", status: 501)
    }
}
