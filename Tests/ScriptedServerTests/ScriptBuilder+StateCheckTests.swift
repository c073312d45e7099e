import Testing

@testable import ScriptedServer

@Suite struct ScriptBuilderStateCheckTests {
    private static let mistakes: [(String, @Sendable (inout ScriptBuilder) -> Void)] = [
        ("route 1 (GET /): 'a b' cannot be the name", { $0.route("GET", "/", where: [.state("a b", "1")], reply: "") }),
        ("step 1 (GET /): '' cannot be the name", { $0.get("/", reply: .ok().count("")) }),
        ("'1a' cannot be the name", { $0.get("/", reply: .ok().set("1a", "x")) }),
        ("'a-' cannot be the name", { $0.get("/", reply: .ok().set("a-", "x")) }),
        (
            "$request.body: the state is looked at before",
            { $0.post("/", where: [.state("a-$request.body", .none)], reply: "") }
        ),
        (
            "$request.form.x: the state is looked at before",
            { $0.post("/", where: [.state("a", "$request.form.x")], reply: "") }
        ),
        ("counted a negative number of times", { $0.get("/", where: [.count("a", -1)], reply: "") }),
        ("counted a negative number of times", { $0.get("/", where: [.count("a", atMost: -1)], reply: "") }),
        ("counted a negative number of times", { $0.get("/", where: [.count("a", atLeast: -1)], reply: "") }),
        ("$path.b: the request has no '{b}'", { $0.get("/{a}", reply: "$path.a $path.b") }),
        ("$path.b: the request has no '{b}'", { $0.get("/{a}", reply: .ok().set("a", "$path.b")) }),
        ("otherwise: $path.b: there is no request", { $0.otherwise("$path.b") }),
        ("otherwise: what it answers changes no state", { $0.otherwise(.ok().count("a")) }),
        ("'12' is no status: a number, or a word", { $0.get("/", reply: .status("12")) }),
        ("'$$now' is no status", { $0.otherwise(.status("$$now")) }),
        ("connections count from 1", { $0.get("/", where: [.connection(0)], reply: "") }),
        ("the requests of a connection count from 1", { $0.get("/", where: [.exchange(0)], reply: "") }),
        ("route 1 (GET /): it cannot answer -1 times", { $0.route("GET", "/", times: -1, reply: "") }),
        ("'ab' is no SHA-256", { $0.post("/", where: [.body(sha256: "ab")], reply: "") }),
        ("4.0 is no sigma", { $0.get("/", reply: .ok().delayed(median: .seconds(1), sigma: 4)) }),
        ("from none to an hour", { $0.get("/", reply: .ok().delayed(median: .seconds(3601), sigma: 1)) }),
        ("from none to an hour", { $0.get("/", reply: .ok().delayed(by: .zero ... .seconds(3601))) }),
        ("from none to an hour", { $0.get("/", reply: .ok().delayed(by: .seconds(Int64.min) ... .zero)) }),
        ("at its character 2", { $0.get("/", where: [.query("a", matches: "a(")], reply: "") }),
        ("at its character 2", { $0.post("/", where: [.form("a", matches: "a(")], reply: "") }),
    ]

    @Test(arguments: mistakes.indices)
    func `a script with a mistake does not start`(index: Int) {
        let (text, build) = Self.mistakes[index]
        var builder = ScriptBuilder()
        build(&builder)
        let error = #expect(throws: ScriptedServerError.self) { try builder.check() }
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test func `words of the request may be in all names`() throws {
        var builder = ScriptBuilder()
        builder.route(
            "POST", "/{id}", where: [.state("a-$path.id", "$request.query.q"), .count("_", 0), .anyQuery],
            reply: ServerReply.ok("$path.id").set("a-$request.json.b", "$request.body").count("n_$now"))
        builder.otherwise(.status("$request.query.status"))
        #expect(throws: ScriptedServerError.self) { try builder.check() }
        builder = ScriptBuilder()
        builder.route(
            "POST", "/{id}", where: [.state("a-$path.id", "$request.query.q"), .count("b", 0), .anyQuery],
            reply: ServerReply.ok("$path.id").set("a-$request.json.b", "$request.body").count("n_$now"))
        builder.otherwise(.status("$request.query.status"))
        try builder.check()
    }
}
