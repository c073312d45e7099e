import ServerScript

extension ScenarioPrinter {
    func cookies(_ options: CookieOptions) -> ShownValue? {
        guard options.hasStorage else { return .word("off") }
        let value = ShownValue.fields([
            ("policy", options.policy.map { .word($0.rawValue) }), ("send", options.areSent ? nil : .word("no")),
            ("answers-after", options.answersAfter.map(duration)),
            ("jar", options.jar.isEmpty ? nil : .list(options.jar.map(cookie))),
        ])
        return value.isEmpty ? nil : value
    }

    func cache(_ options: CacheOptions) -> ShownValue {
        if options == .onDisk { return .word("disk") }
        let value = ShownValue.fields([
            ("memory", options.memoryCapacity.map { size($0) }), ("disk", options.diskCapacity.map { size($0) }),
            ("answers-after", options.answersAfter.map(duration)),
        ])
        return value.isEmpty ? .word("memory") : value
    }

    private func cookie(_ cookie: GivenCookie) -> ShownValue {
        .fields([
            ("name", .text(cookie.name)), ("value", cookieValue(cookie.value)), ("path", cookie.path.map { .text($0) }),
            ("host", cookie.host.map { .text($0) }), ("domain", cookie.domain.map { .text($0) }),
            ("secure", cookie.isSecure ? .word("yes") : nil), ("lives", cookie.lifetime.map(duration)),
        ])
    }

    func cookie(_ match: CookieMatch) -> ShownValue {
        let expiry: ShownValue? = match.expiry.map { expiry in
            switch expiry {
            case .session: .word("session")
            case .within(let range): .word("\(duration(range.lowerBound).flow)..\(duration(range.upperBound).flow)")
            }
        }
        return .fields([
            ("name", .text(match.name)), ("value", match.value.map(cookieValue)),
            ("path", match.path.map { .text($0) }), ("host", match.host.map { .text($0) }),
            ("domain", match.domain.map { .text($0) }), ("secure", match.isSecure.map(yesNo)),
            ("http-only", match.isHTTPOnly.map(yesNo)),
            ("same-site", match.sameSite.map { .word($0.isEmpty ? "none" : $0) }), ("expires", expiry),
        ])
    }

    private func cookieValue(_ value: String) -> ShownValue { isForPlaying ? .text(value) : ScenarioPrinter.hidden }

    private func yesNo(_ flag: Bool) -> ShownValue { .word(flag ? "yes" : "no") }
}
