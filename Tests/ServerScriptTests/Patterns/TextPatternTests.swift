import Testing

@testable import ServerScript

@Suite struct TextPatternTests {
    private func finds(_ pattern: String, _ text: String) throws -> Bool? { try TextPattern(pattern).isFound(in: text) }

    @Test(
        "A pattern is found anywhere in a text",
        arguments: [
            ("", ["", "a"], []), ("a", ["a", "bab"], ["", "b"]), ("^a$", ["a"], ["ab", "ba", ""]),
            ("a.c", ["abc", "xaxcx"], ["ac", "a\nc"]), ("a|bc|", ["x"], []), ("^(a|bc)$", ["a", "bc"], ["abc", "b"]),
            ("^a*$", ["", "aaa"], ["ab"]), ("^a+b?$", ["a", "aab"], ["", "b"]), ("^a{2}$", ["aa"], ["a", "aaa"]),
            ("^a{2,}$", ["aa", "aaaa"], ["a"]), ("^a{0,2}$", ["", "a", "aa"], ["aaa"]), ("a{x", ["a{x"], ["a"]),
            ("^\\d+\\.\\d\\D$", ["12.3x"], ["12.34", "12,3x"]), ("^[a-c_-]+$", ["a-b_c"], ["d"]),
            ("^[^a-c]$", ["d", "\n"], ["a", "dd"]), ("^[]x]$", ["]", "x"], ["a"]), ("^[\\d\\-x]+$", ["1-x"], ["y"]),
            ("\\bcat\\b", ["a cat.", "cat"], ["cats", "scat"]), ("\\Bat", ["cat"], ["at"]),
            ("^\\w+@\\w+\\.\\w{2,6}$", ["ann@a.test"], ["ann@a", "@a.test"]),
            ("(?i)^HeLLo$", ["hello", "HELLO"], ["hell"]),
            ("(?i)[x-z]", ["Y"], ["A"]), ("^\\s\\S$", [" a", "\ta"], ["aa"]), ("\\x41\\t", ["A\t"], ["A"]),
            ("^(?:a(?<tail>b)?){2,3}$", ["aa", "abab", "abaab"], ["a", "aaaa"]), ("^.*?x+?$", ["aaxx"], ["aa"]),
            ("^[^\\s]+$", ["ab"], ["a b"]), ("é|ß", ["Straße"], ["Strasse"]), ("^(a|b|c|d)+$", ["abcd"], ["abe"]),
            ("a\\/b\\{", ["a/b{"], ["a/b"]), ("^()*$", [""], ["a"]), ("(^a|b$)", ["ax", "xb"], ["xax"]),
        ] as [(String, [String], [String])])
    func search(pattern: String, found: [String], missed: [String]) throws {
        for text in found { #expect(try finds(pattern, text) == true, "/\(pattern)/ in '\(text)'") }
        for text in missed { #expect(try finds(pattern, text) == false, "/\(pattern)/ in '\(text)'") }
    }

    @Test func `many patterns together look at one request for no longer than it allows`() throws {
        let pattern = try TextPattern("(a?){30}a{30}b"), work = PatternWork(limit: 50_000)
        let text = String(repeating: "a", count: 200)
        var searched = 0
        while searched < 100, pattern.isFound(in: text, work) == false { searched += 1 }
        #expect((1..<10).contains(searched))
        // No more than one place of the text is looked at once it is used up.
        #expect(work.left > -1000)
        #expect(pattern.isFound(in: text, work) == nil)
        #expect(pattern.obstacle(to: text, work)?.contains("take too long") == true)
        work.begin()
        #expect(pattern.isFound(in: text, work) == false)
    }

    @Test(
        "What is wrong with a pattern, and where",
        arguments: [
            ("a(b", 1, "a '(' that is not closed"), ("a)", 1, "a ')' that closes nothing"),
            ("*a", 0, "a '*' with nothing before it"), ("a**", 2, "a count of a count"),
            ("a{2}{3}", 4, "a count of a count"),
            ("x[ab", 1, "a '[' that is not closed"), ("[b-a]", 0, "a range of characters goes from one to a later one"),
            ("[\\d-x]", 0, "a range of characters goes from one to a later one"),
            ("a\\", 1, "a '\\' with nothing behind it"),
            ("(a)\\1", 3, "a group cannot be asked for again"), ("\\q", 0, "'\\q' means nothing"),
            ("(?=a)", 0, "only (?:...) and (?<name>...) are groups here, nothing looks ahead or behind"),
            ("(?<!a)", 0, "only (?:...) and (?<name>...) are groups here, nothing looks ahead or behind"),
            ("^*", 0, "a place cannot be repeated"), ("a{3,2}", 0, "a count from more to less"),
            ("a{1001}", 0, "a count of more than 1000"), ("\\x4", 0, "'\\x' has two hexadecimal digits"),
            ("(a{100}){100}", 0, "the pattern has more than 1000 steps, counts written out"),
            ("(((){1000}){1000}){1000}", 0, "the pattern has more than 1000 steps, counts written out"),
            (String(repeating: "(", count: 40), 32, "groups within groups, more than 32"),
            ("{2}", 0, "a count with nothing before it"),
        ])
    func mistakes(pattern: String, offset: Int, text: String) {
        #expect(throws: PatternMistake(text: text, offset: offset)) { try TextPattern(pattern) }
    }

    @Test(
        "No text makes a search long, and one that is too long is not searched",
        arguments: ["(a+)+b", "(a|a)*b", "a*a*a*a*b"])
    func effort(pattern: String) throws {
        let most = String(repeating: "a", count: TextPattern.textLimit)
        #expect(try finds(pattern, most) == false)
        #expect(try finds(pattern, most + "a") == nil)
    }

    @Test("Two patterns are the same if they are written so")
    func equality() throws {
        #expect(try TextPattern("a") == TextPattern("a"))
        #expect(try TextPattern("a") != TextPattern("[a]"))
        #expect(try Set([TextPattern("a"), TextPattern("a")]).count == 1)
    }
}
