import Testing

/// What callers keep and bring back: each part of it replaced by what it cannot be. Whatever it says, a task ends once,
/// no file is touched but that of the download, and nothing is put together from what does not belong together.
@Suite struct SavedDataTests {
    private static let numbers = [
        "0", "1", "2147483647", "2147483648", "4294967295", "4294967296", "9007199254740992", "9223372036854775807",
        "9223372036854775808", "100000000000000000000000000000", "-1", "-9223372036854775808", "1.5", #""7""#,
        #""0x7""#,
        #"" 7""#,
    ]
    private static let texts = [
        #""""#, #"" ""#, #""\u0000""#, #""a\r\nb: c""#, #""http://[::1""#, #""file:///etc/passwd""#, #""\"""#,
        #""/etc/passwd""#, #""$DIR/bystander""#, #""$DIR/../understudy-download-1.tmp/""#,
        #""understudy-download-1.tmp""#,
    ]
    private static let wrong = ["true", "[]", "{}", "[[]]", #"{"name": 1}"#]
    private static let edges = numbers + texts + wrong

    private static let download = [
        "url": #""http://a.test/f""#, "fields": #"[{"name": "X-A", "value": "b"}]"#, "offset": "20",
        "validator": #""\"v\"""#, "path": #""$DIR/understudy-download-1.tmp""#, "total": "30",
    ]
    private static let upload = [
        "method": #""PUT""#, "url": #""http://a.test/f""#, "fields": #"[{"name": "X-A", "value": "b"}]"#,
        "interopVersion": "6", "location": #""http://a.test/u/1""#, "length": "$SIZE", "bodyFile": #""$DIR/body""#,
        "modified": "$TIME",
    ]
    private static let state = [
        "format": "1", "file": #"{"size": $SIZE, "modified": $TIME}"#, "stored": "[[0, 10], [20, 40]]",
    ]
    /// Values of inner parts.
    private static let fields =
        [#"[{"name": "Range", "value": "bytes=0-"}, {"name": "Range", "value": "a"}]"#]
        + edges.flatMap { edge in
            [#"[{"name": \#(edge), "value": "b"}]"#, #"[{"name": "X-A", "value": \#(edge)}]"#]
        }
    private static let files = edges.flatMap {
        [#"{"size": \#($0), "modified": $TIME}"#, #"{"size": $SIZE, "modified": \#($0)}"#]
    }
    private static let ranges = edges.flatMap { ["[[\($0), 50]]", "[[0, \($0)]]", "[\($0)]", "[[0, 10], [5, \($0)]]"] }

    private static let answers = [
        "HTTP/1.1 206 Partial Content\nETag: \"v\"\nContent-Range: bytes 20-29/30\nContent-Length: 10\n\n0123456789",
        "HTTP/1.1 200 OK\nETag: \"v\"\nContent-Length: 3\n\nabc",
        "HTTP/1.1 416 Range Not Satisfiable\nContent-Range: bytes */20\nContent-Length: 0\n\n",
        "HTTP/1.1 204 No Content\nUpload-Draft-Interop-Version: 6\nUpload-Offset: 40\nUpload-Complete: ?0\n\n",
    ]

    private static func bring(_ whole: [String: String], _ key: String, _ value: String?, _ moves: [String]) {
        var parts = whole
        parts[key] = value
        let json = parts.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        let served = answers.map { "@answer\n\($0)" }
        for first in served.indices {
            let order = served[first...] + served[..<first]
            play(["\(moves[0])\n{\(json)}"] + moves.dropFirst() + order)
        }
    }

    // BEHAVIOUR 1.F3-invalid 1.F4-mismatch
    @Test(arguments: download.keys.sorted()) func `any resume data of a download`(key: String) {
        let values = key == "fields" ? Self.fields : []
        for value in [nil] + Self.edges + values {
            Self.bring(Self.download, key, value, ["@data token", "@resumed async 30 held", "@again delegate"])
            // A file with another name is not only the download's.
            if key == "path" {
                Self.bring(Self.download, key, value, ["@data token", "@part hardLink", "@again async"])
            }
        }
    }

    // BEHAVIOUR 1.I6-data
    @Test(arguments: upload.keys.sorted()) func `any resume data of an upload`(key: String) {
        let values = key == "fields" ? Self.fields : []
        for value in [nil] + Self.edges + values {
            Self.bring(Self.upload, key, value, ["@data token", "@again delegate"])
        }
    }

    // BEHAVIOUR 3.B1-state
    @Test(arguments: state.keys.sorted()) func `any saved state of slices`(key: String) {
        let values = key == "file" ? Self.files : key == "stored" ? Self.ranges : []
        for value in [nil] + Self.edges + values {
            Self.bring(Self.state, key, value, ["@data state", "@slices handler saved"])
        }
    }
}
