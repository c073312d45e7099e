import HTTPBasics
import ServerScript

/// Answers of the cookbook. Their bodies are bytes, never text: in a script's text `$origin` means something.
extension Reply {
    static func made(
        _ type: String, _ body: [UInt8], _ fields: [(String, String)] = [], status: Int = 200
    ) -> Reply {
        var all = Fields([Fields.Field("Content-Type", type)])
        for (name, value) in fields { all.append(name, value) }
        return Reply(status: status, fields: all, body: .bytes(body))
    }

    static func json(_ json: AnswerJSON, _ fields: [(String, String)] = []) -> Reply {
        made("application/json", json.lines, fields)
    }

    static func plain(_ text: String, status: Int = 200) -> Reply {
        made("text/plain; charset=utf-8", Array(text.utf8), [("X-Content-Type-Options", "nosniff")], status: status)
    }

    static func html(_ text: String) -> Reply { made("text/html; charset=utf-8", Array(text.utf8)) }

    /// To a method that nothing is done for: those that there are. That is all that OPTIONS asks.
    static func methods(_ allowed: String, askedBy method: String) -> Reply {
        bare(method == "OPTIONS" ? 200 : 405, [("Allow", allowed)])
    }

    /// Without a body.
    static func bare(_ status: Int, _ fields: [(String, String)] = []) -> Reply {
        Reply(status: status, fields: Fields(fields.map { Fields.Field($0.0, $0.1) }))
    }
}
