import HTTPBasics
import ServerScript

/// What `GET /` answers: everything that there is, with a line for curl, for browsers, for terminals and for programs.
enum IndexPage {
    static let about = """
        A server that fails where you say, all of it in the URL. Faults stand in front of an answer, and add up: \
        /rate/10KiB/cut/body+500/fin/bytes/4096. Without an answer behind them it is /body.
        """

    static let recipe = Recipe("/", "This list: HTML, text or JSON, by Accept.", example: "/") { call in
        let accepts = call.fields.values("Accept").flatMap(\.listMembers).map { member in
            member.prefix { $0 != ";" }.trimmingWhitespace
        }
        for kind in accepts {
            switch kind {
            case "text/html", "application/xhtml+xml": return .html(html(call.base))
            case "application/json": return .json(json(call.base))
            case "text/plain", "*/*": return .plain(text(call.base))
            default: continue
            }
        }
        return .plain(text(call.base))
    }

    /// A chapter of either table.
    private struct Section {
        let title: String
        let lines: [(form: String, methods: String, about: String, example: String)]
    }

    private static let sections: [Section] =
        [
            Section(
                title: "In front of an answer",
                lines: FaultWord.all.map { ($0.form, "", plain($0.about), $0.example) })
        ]
        + Recipe.chapters.map { chapter, recipes in
            let lines = recipes.map { recipe in
                (recipe.pattern, methods(recipe), plain(recipe.about), recipe.example)
            }
            return Section(title: chapter.rawValue, lines: lines)
        }

    static func methods(_ recipe: Recipe) -> String {
        recipe.methods.isEmpty ? "any" : recipe.methods.joined(separator: ", ")
    }

    private static func plain(_ text: String) -> String { text.replacing("`", with: "") }

    /// A line for a shell: the base goes in front of the path, within its quotes if it has some.
    static func curl(_ example: String, base: String) -> String {
        guard let start = example.range(of: "/", after: " '") else { return "curl " + example }
        return "curl \(example[..<start])\(base)\(example[start...])"
    }

    private static func text(_ base: String) -> String {
        var text = about + "\n"
        for section in sections {
            text += "\n\(section.title)\n"
            for line in section.lines {
                text += "  \(line.methods.isEmpty || line.methods == "GET" ? "" : "\(line.methods) ")\(line.form)\n"
                text += "      \(line.about)\n      \(curl(line.example, base: base))\n"
            }
        }
        return text
    }

    private static func json(_ base: String) -> AnswerJSON {
        let list = sections.map { section in
            let lines = section.lines.map { line in
                AnswerJSON.object([
                    ("path", .text(line.form)), ("methods", .text(line.methods)), ("about", .text(line.about)),
                    ("curl", .text(curl(line.example, base: base))),
                ])
            }
            return AnswerJSON.object([("title", .text(section.title)), ("entries", .array(lines))])
        }
        return .object([("about", .text(about)), ("sections", .array(list))])
    }

    private static func html(_ base: String) -> String {
        var body = "<h1>The cookbook</h1>\n<p>\(HTMLText.escaped(about))</p>\n"
        for section in sections {
            body += "<h2>\(HTMLText.escaped(section.title))</h2>\n<dl>\n"
            for line in section.lines {
                let methods = line.methods.isEmpty || line.methods == "GET" ? "" : "\(line.methods) "
                let curl = HTMLText.escaped(curl(line.example, base: base))
                body += "<dt><code>\(methods)\(HTMLText.escaped(line.form))</code></dt>\n"
                body += "<dd>\(HTMLText.escaped(line.about))<br><code>\(curl)</code></dd>\n"
            }
            body += "</dl>\n"
        }
        return HTMLText.page("The cookbook", body)
    }
}

extension String {
    /// Where a path begins: at a slash that stands first, or behind one of `marks`.
    fileprivate func range(of slash: Character, after marks: String) -> Index? {
        indices.first { index in
            self[index] == slash && (index == startIndex || marks.contains(self[self.index(before: index)]))
        }
    }
}
