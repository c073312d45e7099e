import ServerScript

/// Documentation/COOKBOOK.md, whole.
package enum CookbookPage {
    package static var markdown: String {
        var text = introduction + "\n## Faults in the URL\n\n" + faults + "\n"
        text += "| In front of the answer | What it does | Try |\n|---|---|---|\n"
        for word in FaultWord.all {
            text += "| `\(cell(word.form))` | \(cell(word.about)) | `\(cell(curl(word.example)))` |\n"
        }
        text +=
            "\n## Answers\n\nHEAD goes wherever GET does, OPTIONS everywhere. Any other method gets 405 with Allow.\n"
        for (chapter, recipes) in Recipe.chapters {
            text += "\n### \(chapter.rawValue)\n\n| Path | What it answers | Try |\n|---|---|---|\n"
            for recipe in recipes {
                let methods = recipe.methods == ["GET"] ? "" : "\(IndexPage.methods(recipe)) "
                text +=
                    "| `\(cell(methods + recipe.pattern))` | \(cell(recipe.about)) | `\(cell(curl(recipe.example)))` |\n"
            }
        }
        text += "\n" + cases
        return text + "\n" + differences + "\n" + limits
    }

    /// Within single quotes a shell leaves `$U` as it is.
    private static func curl(_ example: String) -> String {
        let line = IndexPage.curl(example, base: "$U")
        let parts = line.split(separator: "'$U", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let end = parts[1].firstIndex(of: "'") else { return line }
        return "\(parts[0])\"$U\(parts[1][..<end])\"\(parts[1][parts[1].index(after: end)...])"
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }

    private static let introduction = """
        # The cookbook

        <!-- Sources/Cookbook has the tables; `make golden` writes this page. -->

        `understudy serve --builtin` serves httpbin's endpoints without a file, and faults that stand in front of them
        in the URL. `understudy serve FILE --builtin` does the same behind a file: its steps and routes come first, and
        the cookbook takes what they do not; `otherwise:` gets the rest. A request that nobody takes is a violation, as
        always.

        ```console
        $ understudy serve --builtin --port 8080 &
        $ U=http://127.0.0.1:8080
        $ curl $U/                                  # the list that follows, with a line for each
        $ curl $U/first/2/fail/503/get              # 503 twice, then 200
        $ curl -o film "$U/cut/body+500/reset?size=1MiB"
        ```

        """

    private static let faults = """
        A path is read from the left: words of the table, each with its parameters, then an answer. Without an answer it
        is `/body`, with `?size=` as its length. Words add up, up to \(CookbookLimits.words) of them:
        `/rate/10KiB/cut/body+500/fin/bytes/4096` sends the first 500 of 4,096 bytes at 10 KiB in a second, then FIN.

        Landmarks and effects are those of [SCENARIO-FORMAT](SCENARIO-FORMAT.md#faults), in the same words and with the
        same meaning, but for `listen` and `accept`, where no request has come yet. `curl -g` leaves the brackets of
        `chunk[0].data` alone. Effects of TLS need a server that speaks it (`serve --tls valid`). A fault whose place
        the answer can never come to is refused; one that this request does not come to, because it asks for a part or
        for the head alone, is noted in the log and is no violation.

        `every`, `first` and `chance` hold for all faults behind them. They count the requests for one URL, query
        included: parallel tests that add `?id=1` and `?id=2` do not disturb each other. SIGHUP starts the counting
        anew. From 10,000 URLs on, all new ones are counted as one.

        A mistake in a URL is answered with 400 and a text that says which part is wrong, and what is allowed there. A
        name in the query that nobody knows is passed over, as `?id=1`; one that is nearly what the answer looks for, as
        `/drip?numbyte=5`, is a mistake.

        """

    private static let cases = """
        ## Cases: what does your client do?

        `understudy serve --builtin --cases scenarios` plays the server's half of each scenario in that folder for a
        client in any language, without code: it says what to send, and judges what came.

        | Path | What it answers (JSON if Accept wants it) |
        |---|---|
        | `/case` | all cases, and why some can only be played by the scenario's own client |
        | `/case/{topic}` | the same of those in a folder, or of one scenario |
        | `/case/{id}` | what to send, in order, to which URL, and what each request must have |
        | `POST /case/{id}` | the same; the case begins anew |
        | `/case/{id}/verdict` | `fulfilled`, `unfinished`, `failed` or `untouched`, with each finding |
        | `/case/{id}/body/{n}` | the body that the request of number `n` on its page must have |
        | `/case/verdicts`, `/case/verdicts.xml` | all verdicts: text or JSON, and JUnit's form |

        ```console
        $ curl $U/case/first/hello             # what to send
        $ curl $U/scope:case.first.hello/hello
        $ curl $U/case/first/hello/verdict
        ```

        Each case is played in a scope of its own: `$origin` in its answers leads back into it, and a client that sends
        the field `Understudy-Scope` needs no prefix in its URLs. A `Location` without a host leads out of the prefix,
        so there the field is needed. `?client=a` on all these pages is a case of that client's own. A request that
        comes after the last step is a finding, as one that is sent again and should not be; `POST /case/{id}` begins
        the case anew. Judged are the server's steps. What a scenario demands besides, of the wire, of connections and
        of what its client's caller is told, only `understudy run` judges: the page of a case says so. Of a case that
        nobody plays for five minutes the verdict is kept, of up to 10,000 of them.

        """

    private static var differences: String {
        var text = """
            ## Where it differs from httpbin

            Keys and meanings of JSON are httpbin's (0.10; `Tests/Peers/cookbook.sh` asks both). Everywhere: what is
            wrong in a URL is 400 with an explanation, not 404, 500 or a silent correction; `url` is the target as it
            was sent, without the prefix of a scope; `<`, `>` and `&` are escaped in JSON; what comes from the seed is
            the same in each run (`serve --seed`); 429 and 503 have Retry-After. Not there: `/spec.json`, Negotiate, WebSocket.

            | Path | Difference |
            |---|---|

            """
        for recipe in Recipe.chapters.flatMap(\.recipes) {
            if let differs = recipe.differs { text += "| `\(recipe.pattern)` | \(cell(differs)) |\n" }
        }
        return text
    }

    private static let limits = """
        ## Limits

        | What | At most |
        |---|---|
        | `/body`, `/bytes`, `/stream-bytes`: generated as they are sent | \(CookbookLimits.size) bytes |
        | `/range` | \(CookbookLimits.rangeSize) bytes |
        | `/drip` | \(CookbookLimits.drippedSize) bytes |
        | `/stream`, in all | \(CookbookLimits.streamSize) bytes |
        | a body that is compressed; a chunk; a segment | \(CookbookLimits.heldSize) bytes |
        | what is kept of a request's body, to be sent back | 65536 bytes |
        | pauses, and times in all | \(CookbookLimits.seconds) s |
        | lines, events | \(CookbookLimits.pieces) |
        | redirects in a row | \(CookbookLimits.redirects) |
        | links on a page | \(CookbookLimits.links) |
        | words in front of an answer | \(CookbookLimits.words) |
        | items of a query or form that are looked at | \(CookbookLimits.items) |
        | a text that goes into a field | \(CookbookLimits.textLength) bytes |

        No file is read. The passwords of `/basic-auth` and its like are `***` in the log.

        """
}
