import HTTPBasics
import ServerScript

/// Requests sent back as they came.
extension Recipe {
    private static let kept = "of a body over 64 KiB the first 64 KiB, its size and its checksum (FNV-1a)"

    private static func echo(_ method: String, _ curl: String) -> Recipe {
        Recipe(
            "/\(method.lowercased())", "What was sent, body and all, as JSON.", methods: [method], example: curl,
            differs: kept, awaitsBody: true
        ) { call in
            .json(RequestEcho(call).json("args", "data", "files", "form", "headers", "json", "origin", "url"))
        }
    }

    private static func anything(_ pattern: String, example: String) -> Recipe {
        Recipe(
            pattern, "The same for every method, and below every path.", methods: anyMethod, example: example,
            differs: kept, awaitsBody: true
        ) { call in
            .json(RequestEcho(call).json("args", "data", "files", "form", "headers", "json", "method", "origin", "url"))
        }
    }

    static let echoes: [Recipe] = [
        Recipe("/get", "The query, the fields and the address of a GET request, as JSON.", example: "/get?a=1") {
            .json(RequestEcho($0).json("args", "headers", "origin", "url"))
        },
        echo("POST", "-d a=1 /post"), echo("PUT", "-X PUT -d '{\"a\": 1}' /put"),
        echo("PATCH", "-X PATCH -d text /patch"), echo("DELETE", "-X DELETE /delete"),
        anything("/anything", example: "-F file=@README.md /anything"),
        anything("/anything/*", example: "-X DELETE /anything/you/like"),
        Recipe("/headers", "The request's fields.", example: "-H 'X-Mine: 1' /headers") { call in
            .json(.object([("headers", RequestEcho(call).headers)]))
        },
        Recipe("/ip", "The client's address.") { .json(.object([("origin", .text(RequestEcho($0).origin))])) },
        Recipe("/user-agent", "The field User-Agent.") { call in
            .json(.object([("user-agent", call.fields.first("User-Agent").map { .text($0) } ?? .null)]))
        },
    ]
}
