import HTTPBasics

/// How long a server keeps an unused connection by its own account, as in `Keep-Alive: timeout=5, max=100`.
///
/// The form is that of RFC 2068 19.7.1.1, which no later standard took over and servers still send. `max` needs nothing
/// from us: a server that has had enough closes the connection.
enum KeepAliveHint {
    static func timeout(in head: ResponseHead) -> Duration? {
        for member in head.fields.members("Keep-Alive") {
            let halves = member.utf8.split(separator: ASCII.equals, maxSplits: 1).map { Substring($0) }
            guard halves.count == 2, halves[0].trimmingWhitespace.equalsIgnoringCase("timeout") else { continue }
            return Duration.seconds(parsing: halves[1].trimmingWhitespace)
        }
        return nil
    }
}
