import HTTPBasics

/// Cookies, found by the place that a request goes to. A value without a clock or a file.
///
/// Kept by *area*, the last two labels of a domain: which cookies go along is known after as many look-ups as the host
/// has labels, however many cookies there are.
package struct CookieJar: Sendable {
    package struct Entry: Hashable, Sendable {
        package var cookie: Cookie
        /// When there first was such a cookie: one that takes its place inherits it.
        package var created: CookieTime
        package var modified: CookieTime
        /// Of those of one moment the first comes first.
        var order: UInt64 = 0
        /// When it last was of use, in uses of the jar.
        var used: UInt64 = 0

        package init(_ cookie: Cookie, created: CookieTime, modified: CookieTime) {
            self.cookie = cookie
            self.created = created
            self.modified = modified
        }

        package func isOlder(than other: Entry) -> Bool { (created, order) < (other.created, other.order) }
    }

    private struct Area: Sendable {
        var domains: [String: [Entry]] = [:]

        /// Notes the use of those entries of a domain that are wanted, and adds them to others. In place: a copy for
        /// each request would cost more than all the rest.
        mutating func use(
            _ domain: String, at use: UInt64, into found: inout [Entry], where isWanted: (Cookie) -> Bool
        ) {
            guard let place = domains.index(forKey: domain) else { return }
            for index in domains.values[place].indices where isWanted(domains.values[place][index].cookie) {
                domains.values[place][index].used = use
                found.append(domains.values[place][index])
            }
        }
    }

    package let limits: CookieLimits
    package private(set) var count = 0
    /// What was set or removed since this was last taken.
    package private(set) var changes: Set<Cookie.Mark> = []
    private var areas: [String: Area] = [:]
    private var uses: UInt64 = 0

    package init(_ limits: CookieLimits = CookieLimits()) { self.limits = limits }

    package var isEmpty: Bool { count == 0 }

    /// All of them, the oldest first.
    package var entries: [Entry] { unordered.sorted { $0.isOlder(than: $1) } }

    private var unordered: [Entry] { areas.values.flatMap { $0.domains.values.flatMap { $0 } } }

    package mutating func takeChanges() -> Set<Cookie.Mark> {
        defer { changes = [] }
        return changes
    }

    package func entry(_ key: Cookie.Mark) -> Entry? {
        areas[CookieDomain.area(of: key.domain)]?.domains[key.domain]?.first { $0.cookie.key == key }
    }

    // MARK: What goes along

    /// The cookies for a place: those with longer paths first, of equally long ones the older first
    /// (RFC 6265bis 5.8.3).
    package mutating func cookies(for url: URLReference, at now: CookieTime) -> [Cookie] {
        guard count > 0, let host = CookieDomain.host(of: url) else { return [] }
        let area = CookieDomain.area(of: host)
        guard areas[area] != nil else { return [] }
        uses &+= 1
        let isSecure = CookieAcceptance.isSecure(url)
        var found: [Entry] = []
        var domain = host[...]
        while true {
            let name = String(domain)
            evictExpired(of: name, at: now)
            areas[area]?.use(name, at: uses, into: &found) { cookie in
                cookie.matches(host: host, path: url.path, isSecure: isSecure)
            }
            guard domain.utf8.count > area.utf8.count, let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else {
                break
            }
            domain = Substring(domain.utf8[dot...].dropFirst())
        }
        found.sort { one, other in
            let (length, others) = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            return length == others ? one.isOlder(than: other) : length > others
        }
        return found.map(\.cookie)
    }

    /// The same as the value of a Cookie field; nil if there are none.
    package mutating func field(for url: URLReference, at now: CookieTime) -> String? {
        let cookies = cookies(for: url, at: now)
        return cookies.isEmpty ? nil : Self.field(of: cookies, limits.fieldBytes)
    }

    /// What does not fit is left out (BEHAVIOUR 2.C26-field).
    package static func field(of cookies: [Cookie], _ limit: Int = .max) -> String? {
        var field = ""
        for cookie in cookies {
            let separator = field.isEmpty ? 0 : 2
            let bytes = cookie.name.utf8.count + 1 + cookie.value.utf8.count
            guard bytes + separator <= limit - field.utf8.count else { continue }
            if separator > 0 { field += "; " }
            field += cookie.name
            field += "="
            field += cookie.value
        }
        return field.isEmpty ? nil : field
    }

    // MARK: What comes

    /// Takes what an answer from that place brings: its Set-Cookie fields, in order.
    ///
    /// - Returns: Whether the jar has changed.
    package mutating func take(
        _ lines: [String], from url: URLReference, at now: CookieTime, _ suffixes: some PublicSuffixes
    ) -> Bool {
        var hasChanged = false
        for line in lines.prefix(limits.ofAnswer) {
            guard let line = SetCookie(line, limits), line.keepsHostPromise,
                let cookie = line.cookie(at: url, now, limits)
            else { continue }
            if take(cookie, from: url, at: now, suffixes) { hasChanged = true }
        }
        return hasChanged
    }

    /// Takes a cookie that a place sets, if it may.
    package mutating func take(
        _ cookie: Cookie, from url: URLReference, at now: CookieTime, _ suffixes: some PublicSuffixes
    ) -> Bool {
        guard let cookie = CookieAcceptance.accepted(cookie, from: url, suffixes),
            CookieAcceptance.isSecure(url) || !overlaysSecure(cookie, at: now)
        else { return false }
        return set(cookie, at: now)
    }

    /// What is not secure does not take the place of a secure cookie, nor hide it (BEHAVIOUR 2.C24-overlay).
    private func overlaysSecure(_ cookie: Cookie, at now: CookieTime) -> Bool {
        guard let area = areas[CookieDomain.area(of: cookie.domain)] else { return false }
        return area.domains.contains { domain, entries in
            guard CookieDomain.matches(domain, cookie.domain) || CookieDomain.matches(cookie.domain, domain) else {
                return false
            }
            return entries.contains {
                $0.cookie.isSecure && $0.cookie.name.utf8.elementsEqual(cookie.name.utf8)
                    && !$0.cookie.isExpired(at: now) && CookiePath.matches(cookie.path, $0.cookie.path)
            }
        }
    }

    /// Keeps a cookie, in the place of the one that it replaces. One that has expired removes that one.
    package mutating func set(_ cookie: Cookie, at now: CookieTime) -> Bool {
        if cookie.isExpired(at: now) { return remove(cookie.key) }
        evictExpired(of: cookie.domain, at: now)
        let former = entry(cookie.key)
        put(Entry(cookie, created: former?.created ?? now, modified: now), former: former)
        trim(cookie.domain, at: now)
        return true
    }

    /// Keeps an entry as another jar had it.
    package mutating func merge(_ entry: Entry) { put(entry, former: self.entry(entry.cookie.key)) }

    private mutating func put(_ entry: Entry, former: Entry?) {
        uses &+= 1
        var entry = entry
        (entry.order, entry.used) = (former?.order ?? uses, uses)
        let key = entry.cookie.key, area = CookieDomain.area(of: key.domain)
        changes.insert(key)
        if former != nil,
            let index = areas[area]?.domains[key.domain]?.firstIndex(where: { $0.cookie.key == key })
        {
            areas[area]?.domains[key.domain]?[index] = entry
        } else {
            areas[area, default: Area()].domains[key.domain, default: []].append(entry)
            count += 1
        }
    }

    // MARK: What goes

    package mutating func remove(_ key: Cookie.Mark) -> Bool {
        guard discard(key) else { return false }
        changes.insert(key)
        return true
    }

    /// What has expired goes by itself, and is no change: another jar may have it with a later date
    /// (BEHAVIOUR 2.C25-expired).
    package mutating func evictExpired(at now: CookieTime) {
        for entry in unordered where entry.cookie.isExpired(at: now) { _ = discard(entry.cookie.key) }
    }

    private mutating func evictExpired(of domain: String, at now: CookieTime) {
        guard let entries = areas[CookieDomain.area(of: domain)]?.domains[domain],
            entries.contains(where: { $0.cookie.isExpired(at: now) })
        else { return }
        for entry in entries where entry.cookie.isExpired(at: now) { _ = discard(entry.cookie.key) }
    }

    private mutating func discard(_ key: Cookie.Mark) -> Bool {
        let area = CookieDomain.area(of: key.domain)
        guard let index = areas[area]?.domains[key.domain]?.firstIndex(where: { $0.cookie.key == key }) else {
            return false
        }
        areas[area]?.domains[key.domain]?.remove(at: index)
        if areas[area]?.domains[key.domain]?.isEmpty ?? false { areas[area]?.domains[key.domain] = nil }
        if areas[area]?.domains.isEmpty ?? false { areas[area] = nil }
        count -= 1
        return true
    }

    /// - Returns: Whether there were any.
    package mutating func removeAll(where isUnwanted: (Entry) -> Bool) -> Bool {
        let unwanted = entries.filter(isUnwanted)
        for entry in unwanted { _ = remove(entry.cookie.key) }
        return !unwanted.isEmpty
    }

    /// One domain's limit, then that of all: first what has expired, then, within the domain, what is not secure, then
    /// what was not of use for the longest time (RFC 6265bis 5.7). Of this domain nothing is left that has expired.
    private mutating func trim(_ domain: String, at now: CookieTime) {
        while let entries = areas[CookieDomain.area(of: domain)]?.domains[domain], entries.count > limits.ofDomain,
            let victim = Self.victim(among: entries, sparesSecure: true)
        {
            _ = remove(victim)
        }
        if count > limits.total { evictExpired(at: now) }
        while count > limits.total {
            let victims = areas.values.lazy.flatMap { $0.domains.values.lazy.flatMap { $0 } }
            guard let victim = Self.victim(among: victims, sparesSecure: false) else { return }
            _ = remove(victim)
        }
    }

    private static func victim(among entries: some Sequence<Entry>, sparesSecure: Bool) -> Cookie.Mark? {
        var first: (rank: (Int, UInt64, UInt64), key: Cookie.Mark)?
        for entry in entries {
            let kind = sparesSecure && entry.cookie.isSecure ? 1 : 0
            let rank = (kind, entry.used, entry.order)
            if let best = first?.rank, best <= rank { continue }
            first = (rank, entry.cookie.key)
        }
        return first?.key
    }
}
