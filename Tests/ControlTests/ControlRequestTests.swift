import Foundation
import Testing

@testable import Control

@Suite struct ControlRequestTests {
    @Test func `a target has a path and parameters`() throws {
        let request = try ControlRequest(method: "POST", target: "/signals/a%20b?scope=x&empty")
        #expect(request.path == ["signals", "a b"] && request.query == ["scope": "x", "empty": ""])
        #expect(try request.scope() == "x")
    }

    @Test(
        "A target may be a whole URL",
        arguments: [
            ("http://localhost:1/ready?scope=x", "localhost:1", ["ready"]), ("HTTP://a", "a", []),
            ("/ready", nil, ["ready"]),
            ("http://a?scope=x", "a", []), ("ftp://a/ready", nil, ["ftp:", "a", "ready"]),
        ])
    func whole(target: String, authority: String?, path: [String]) throws {
        let request = try ControlRequest(method: "GET", target: target)
        #expect(request.path == path && ControlRequest.authority(of: target).map(String.init) == authority)
        #expect(request.query == (target.contains("?") ? ["scope": "x"] : [:]))
    }

    @Test("What is wrong with it is said", arguments: ["/%zz", "/a?x=%", "/a?x=1&x=2"])
    func wrong(target: String) {
        #expect(throws: Problem.self) { try ControlRequest(method: "GET", target: target) }
    }

    @Test(
        "A body is an object with the members that are known, each of its kind",
        arguments: [
            (#"{"path": "/a", "count": 2}"#, ""), ("", ""), ("[]", "the body is no JSON object"),
            (#"{"count": 1, "count": 2}"#, "the body is no JSON: a name twice in an object at byte 20"),
            ("{", "the body is no JSON: no name of a member at byte 1"),
            (#"{"pth": 1}"#, "'pth' in the body: there is only count, path"),
            (#"{"path": 1}"#, "'path' in the body is a text"),
            (#"{"count": 1.5}"#, "'count' in the body is a whole number from 1 to 9"),
            (#"{"count": 10}"#, "'count' in the body is a whole number from 1 to 9"),
            (#"{"count": true}"#, "'count' in the body is a whole number from 1 to 9"),
            (String(repeating: "[", count: 100_000), "the body is no JSON: more than 64 levels at byte 64"),
        ])
    func body(text: String, wanted: String) throws {
        let request = try ControlRequest(method: "POST", target: "/", body: Array(text.utf8))
        do {
            let object = try request.object(["path", "count"])
            _ = try object.text("path")
            _ = try object.number("count", in: 1...9)
            #expect(wanted.isEmpty)
        } catch let problem as Problem {
            #expect(problem.detail == wanted)
        }
    }
}
