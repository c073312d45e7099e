/// How much a jar takes, and from how much of what a server says.
package struct CookieLimits: Equatable, Sendable {
    /// Of name and value together (BEHAVIOUR 2.C20-size).
    package var pairBytes = 4096
    /// Of one attribute's value.
    package var attributeBytes = 1024
    /// No server keeps a cookie for longer: 400 days.
    package var lifetime: Int64 = 400 * 86_400
    /// BEHAVIOUR 2.C26-count.
    package var ofDomain = 50
    package var total = 3000
    /// Set-Cookie fields of one answer; those behind them are not read.
    package var ofAnswer = 50
    /// Of the value of one Cookie field: more no usual server takes (BEHAVIOUR 2.C26-field).
    package var fieldBytes = 8190

    package init() {}
}
