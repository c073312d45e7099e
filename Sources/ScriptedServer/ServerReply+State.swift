import ServerScript

/// What an answer does to the script's state, and what of it is made of the request.
///
/// A script has named values and counters, none in the beginning. In the body, the fields, the status and the `raw`
/// texts of an answer, and in names and values of the state, words stand for what the request brings:
///
/// - `$request.method`, `$request.path`, `$request.target`, `$request.body`, `$request.query.NAME`,
///   `$request.headers.NAME`, `$request.form.NAME`, `$request.json.a.0.b`;
/// - `$path.NAME`: what the capture `{NAME}` of the target stands for;
/// - `$state.NAME`, `$count.NAME`: a value, or a counter with this request;
/// - `$now`, `$now.http`, `$now.seconds`, `$random.uuid`, `$random.number`.
///
/// What is not there is empty. `$$path.id` is the word itself. In a text of JSON, within double quotes, what is put in
/// is escaped.
///
/// ```swift
/// $0.route("POST", "/orders/{id}", where: [.state("order-$path.id", .none)],
///     reply: .status(201, #"{"order": "$path.id", "made": $count.orders}"#)
///         .count("orders").set("order-$path.id", "made"))
/// $0.route("POST", "/orders/{id}", reply: .status(409))
/// ```
extension ServerReply {
    /// Any final status with a body, the status made of the request: `.status("$request.query.status")`. What comes out
    /// as none from 200 to 999 becomes 500.
    public static func status(_ word: String, _ body: ServerBody = "") -> ServerReply {
        ServerReply.status(200, body).changed { $0.statusText = word }
    }

    /// Leaves a value under this name for `RequestRule.state` and `$state.NAME`, when the request is chosen for this
    /// reply and before another one is looked at; an empty value is forgotten.
    ///
    /// A script keeps 5,000 names, values of 4 KiB, and a mebibyte in all; what does not go in is noted in the journal.
    public func set(_ name: String, _ value: String) -> ServerReply {
        var copy = self
        copy.changes.append(StateChange(name, .set(StateName(value))))
        return copy
    }

    /// Adds one to each of these counters, when the request is chosen for this reply and before another one is looked
    /// at, also before any value is set: `$count.NAME` in one is with this request.
    public func count(_ names: String...) -> ServerReply {
        var copy = self
        let first = copy.changes.firstIndex { $0.kind != .count } ?? copy.changes.endIndex
        copy.changes.insert(contentsOf: names.map { StateChange($0, .count) }, at: first)
        return copy
    }

    /// Waits after the request was read, for a span that is drawn from the server's seed for each request: any one of
    /// the range as likely as another.
    public func delayed(by spans: ClosedRange<Duration>) -> ServerReply {
        guard spans.lowerBound >= .zero, spans.upperBound <= Self.longestDelay else {
            return complaining("a delay that differs is from none to an hour")
        }
        return changed { reply in
            reply.delay = spans.lowerBound
            reply.delaySpread = .uniform(spans.upperBound - spans.lowerBound)
        }
    }

    /// Waits after the request was read, for a span that is drawn from the server's seed for each request: mostly about
    /// the median, sometimes much longer, an hour at most.
    ///
    /// - Parameters:
    ///   - median: Half of them are longer. An hour at most.
    ///   - sigma: How far they spread: 0.1 to 3, in steps of a thousandth.
    public func delayed(median: Duration, sigma: Double) -> ServerReply {
        guard (0.1...3).contains(sigma) else { return complaining("\(sigma) is no sigma from 0.1 to 3") }
        guard (.zero...Self.longestDelay).contains(median) else {
            return complaining("a delay that differs is from none to an hour")
        }
        return changed { reply in
            reply.delay = .zero
            reply.delaySpread = .logNormal(median: median, sigma: Int((sigma * 1000).rounded()))
        }
    }

    private static let longestDelay = Duration.seconds(3600)

    /// Lets pages of other origins read the answer (CORS), and answers browsers that ask whether they may.
    ///
    /// - Parameter isShared: False keeps it from them where `ScriptBuilder.cors()` shares all others.
    public func cors(_ isShared: Bool = true) -> ServerReply {
        var copy = self
        copy.isShared = isShared
        return copy
    }
}
