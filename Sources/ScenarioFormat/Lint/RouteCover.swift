import ServerScript

/// What of a route decides whether another one behind it can still be reached, made ready for thousands of others.
struct RouteCover {
    let index: Int
    let mark: SourceMark?
    let target: String?
    /// It takes all that has its method and target, and does so for ever.
    let isUnconditional: Bool
    /// Its target stands for others.
    let isWide: Bool
    private let host: String?
    private let method: String?
    private let hasCaptures: Bool
    private let rule: TargetRule

    init(_ route: Route, at index: Int, of script: Script) {
        let request = route.exchange.request
        self.index = index
        mark = route.mark
        host = route.host ?? script.hosts.first
        method = request.method
        target = request.target
        rule = request.targetRule
        hasCaptures = !request.captureNames.isEmpty
        isUnconditional = route.times == nil && request.isUnconditional
        isWide = if case .exactly = rule { false } else { true }
    }

    /// Whether every request that is for `later` is for this one, which is unconditional.
    func covers(_ later: RouteCover) -> Bool {
        guard host == later.host, method == nil || method == later.method else { return false }
        guard let target else { return true }
        guard let other = later.target else { return false }
        return target == other || !later.hasCaptures && rule.matches(other)
    }
}

extension RequestMatch {
    fileprivate var isUnconditional: Bool {
        query == nil && state.isEmpty && minorVersion == nil && connection == nil && exchange == nil
            && fields.isEmpty && absent.isEmpty && basic == nil && digest == nil && ntlm == nil && negotiate == nil
            && body == nil && multipart == nil
            && sliceOf == nil
            && !isWhole
    }
}
