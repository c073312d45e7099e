/// The directives of Cache-Control, in a request or a response, as a cache of one user's reads them (RFC 9111 5.2).
/// So `s-maxage` and `proxy-revalidate` are not among them.
package struct CacheControl: Hashable, Sendable {
    /// What a directive with seconds says.
    package enum Seconds: Hashable, Sendable {
        case count(Duration)
        /// It is no whole number of seconds: whoever asks takes what is safe.
        case unreadable
    }

    /// Further names than so many in `no-cache="…"` mean that the whole response is not to be used unasked.
    private static let mostNames = 64
    /// More than any number of seconds that a cache can tell apart (RFC 9111 1.2.2).
    package static let longest = Duration.seconds(1 << 31)

    package private(set) var maxAge: Seconds?
    package private(set) var minFresh: Seconds?
    /// Without a number any age will do.
    package private(set) var maxStale: Seconds?
    package private(set) var staleIfError: Seconds?
    package private(set) var staleWhileRevalidate: Seconds?
    package private(set) var noStore = false
    package private(set) var noCache = false
    /// Fields that may not be reused unasked, while the rest may (RFC 9111 5.2.2.4).
    package private(set) var noCacheFields: [String] = []
    package private(set) var mustRevalidate = false
    package private(set) var mustUnderstand = false
    package private(set) var immutable = false
    package private(set) var onlyIfCached = false
    package private(set) var isPublic = false
    package private(set) var isPrivate = false

    package init() {}

    /// - Parameter value: All lines of the field, with commas between them.
    package init(parsing value: some StringProtocol) {
        // Mostly it is one word, if anything.
        guard !value.utf8.allSatisfy(ASCII.isTokenCharacter) else {
            add(ASCII.lowercased(value), nil, isWhole: true)
            return
        }
        var scanner = FieldScanner(value)
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            guard let name = scanner.token() else {
                scanner.skip(to: ASCII.comma)
                _ = scanner.take(",")
                continue
            }
            var argument: String?
            if scanner.take("=") { argument = scanner.parameterValue(endingAt: [ASCII.comma]) ?? "" }
            scanner.skipBlanks()
            let isWhole = scanner.isAtEnd || scanner.next == ASCII.comma
            scanner.skip(to: ASCII.comma)
            _ = scanner.take(",")
            add(ASCII.lowercased(name), argument, isWhole: isWhole)
        }
        // What stands in quotes that nobody closes was perhaps meant for directives.
        if scanner.hasOpenQuote { (noStore, noCache) = (true, true) }
    }

    /// Of a request: `Pragma: no-cache` counts where there is no Cache-Control (RFC 9111 5.4).
    package init(ofRequest fields: Fields) {
        if let value = fields.joined("Cache-Control") {
            self.init(parsing: value)
        } else {
            self.init(noCache: fields.joined("Pragma").map { CacheControl(parsing: $0).noCache } ?? false)
        }
    }

    package init(ofResponse fields: Fields) { self.init(parsing: fields.joined("Cache-Control") ?? "") }

    /// Of one whose other fields nobody has asked for yet.
    package init(ofResponse fields: FieldBlock) { self.init(parsing: fields.joined("Cache-Control") ?? "") }

    private init(noCache: Bool) { self.noCache = noCache }

    /// Of a directive that stands there twice the first counts (RFC 9111 4.2.1); what forbids counts wherever it is.
    private mutating func add(_ name: String, _ argument: String?, isWhole: Bool) {
        let seconds = isWhole ? CacheControl.seconds(argument) : .unreadable
        switch name {
        case "max-age": maxAge = maxAge ?? seconds
        case "min-fresh": minFresh = minFresh ?? seconds
        case "max-stale": maxStale = maxStale ?? (isWhole && argument == nil ? .count(CacheControl.longest) : seconds)
        case "stale-if-error": staleIfError = staleIfError ?? seconds
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds
        case "no-store": noStore = true
        case "no-cache": limit(to: isWhole ? argument : nil)
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "public": isPublic = true
        case "private": isPrivate = true
        default: break
        }
    }

    private mutating func limit(to names: String?) {
        let found = names?.utf8.split(separator: ASCII.comma, maxSplits: CacheControl.mostNames)
            .map { Substring($0).trimmingWhitespace }
        guard let found, !found.isEmpty, found.count <= CacheControl.mostNames,
            found.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isTokenCharacter) })
        else {
            noCache = true
            return
        }
        noCacheFields += found.map { String($0) }
    }

    private static func seconds(_ argument: String?) -> Seconds {
        argument.flatMap(span).map { .count($0) } ?? .unreadable
    }

    /// `delta-seconds`. A number that is too large is a very long time, not a mistake (RFC 9111 1.2.2).
    package static func span(_ digits: some StringProtocol) -> Duration? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return min(Duration.seconds(parsing: digits) ?? longest, longest)
    }
}
