import ServerScript

/// Cookies of a session, and those that it has in the end.
extension CaseDecoder {
    func cookieOptions(_ node: SourceNode) -> CookieOptions {
        var options = CookieOptions()
        if node.plain == "off" {
            options.hasStorage = false
            return options
        }
        guard let map = session.map(node, .sessionCookies) else { return options }
        options.policy = map.word("policy", as: CookieOptions.Policy.self)
        options.areSent = map.yesNo("send") ?? true
        options.answersAfter = map.duration("answers-after")
        options.jar = (map.list("jar") ?? []).compactMap(givenCookie)
        return options
    }

    private func givenCookie(_ node: SourceNode) -> GivenCookie? {
        guard let map = session.map(node, .givenCookie) else { return nil }
        var cookie = GivenCookie(name: map.text("name") ?? "", value: map.text("value") ?? "")
        cookie.path = map.text("path")
        cookie.host = host(map)
        cookie.domain = map.text("domain")
        cookie.isSecure = map.yesNo("secure") ?? false
        cookie.lifetime = map.duration("lives")
        _ = map.only(of: ["host", "domain"])
        return cookie
    }

    /// `a=1`, or a map.
    func cookieMatch(_ node: SourceNode) -> CookieMatch? {
        guard node.isMapping else {
            guard let text = session.text(node, what: "a cookie such as a=1") else { return nil }
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                log.error("'\(text)' is no cookie", at: node, remedy: "write name=value, or {name: a, value: 1}")
                return nil
            }
            let value = String(text[text.index(after: equals)...])
            return CookieMatch(name: String(text[..<equals]), value: value, mark: node.mark)
        }
        guard let map = session.map(node, .cookie) else { return nil }
        var cookie = CookieMatch(name: map.text("name") ?? "", value: map.text("value"), mark: node.mark)
        cookie.path = map.text("path")
        cookie.host = host(map)
        cookie.domain = map.text("domain")
        cookie.isSecure = map.yesNo("secure")
        cookie.isHTTPOnly = map.yesNo("http-only")
        cookie.sameSite = map.word("same-site").map { $0 == "none" ? "" : $0 }
        cookie.expiry = map.value("expires").flatMap { node in
            node.plain == "session" ? .session : durations(node).map { .within($0) }
        }
        _ = map.only(of: ["host", "domain"])
        return cookie
    }
}
