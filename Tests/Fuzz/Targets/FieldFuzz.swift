import HTTPBasics
import NIOCore
import ServerScript

/// Values of header fields: the input is one, for everything that reads any.
enum FieldFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let value = String(buffer: bytes)
        if let range = ContentRange(parsing: value) {
            try demand(ContentRange(parsing: range.description), equals: range, "\(range) is another range")
            if case .part(let first, let last, let total) = range {
                try demand(first <= last && last < total ?? .max, "\(range) contradicts itself")
            }
        }
        try checkSlice(value)
        if let tag = EntityTag(parsing: value) {
            try demand(EntityTag(parsing: tag.description), equals: tag, "\(tag) is another tag")
            try demand(tag.weaklyMatches(tag) && tag.stronglyMatches(tag) != tag.isWeak, "\(tag) is not itself")
        }
        if let type = MediaType(parsing: value) {
            try demand(MediaType(parsing: type.description), equals: type, "\(type) is another type")
            try demand(type.parameters.count <= 32, "\(type.parameters.count) parameters")
        }
        try checkChallenges(value)
        if let length = DeclaredLength(parsing: value) {
            try demand(DeclaredLength(parsing: length.description), equals: length, "\(length) is another length")
        }
        if let decoded = Base64.decode(value) { try demand(Base64.encode(decoded), equals: value, "another base64") }
        try demand(
            Base64.decode(Base64.encode(bytes.readableBytesView)), equals: Array(bytes.readableBytesView), "base64")
        let decoded = PercentEncoding.decoded(value)
        try demand(decoded.utf8.count <= value.utf8.count, "percent decoding made it longer")
    }

    /// The server's own reading of a Content-Range is stricter than the client's, and never another.
    private static func checkSlice(_ value: String) throws {
        guard let slice = try? SliceRange.parse([value]) else { return }
        let wanted = "bytes \(slice.range.lowerBound)-\(slice.range.upperBound - 1)/\(slice.size)"
        try demand(ContentRange(parsing: value)?.description, equals: wanted, "the client reads another range")
    }

    private static func checkChallenges(_ value: String) throws {
        let challenges = AuthenticateHeader.parse([value])
        try demand(challenges.count <= 32, "\(challenges.count) challenges")
        for challenge in challenges {
            try demand(challenge.scheme.utf8.allSatisfy(ASCII.isTokenCharacter), "no scheme: \(challenge.scheme)")
            try demand(challenge.parameters.count <= 32, "\(challenge.parameters.count) parameters")
        }
        // One field with all challenges and one field each say the same.
        let texts = challenges.map(text)
        try demand(AuthenticateHeader.parse([texts.joined(separator: ", ")]), equals: challenges, "challenges differ")
        try demand(AuthenticateHeader.parse(texts), equals: challenges, "challenges differ in fields of their own")
    }

    private static func text(_ challenge: AuthenticateHeader.Entry) -> String {
        let parameters = challenge.parameters.map { parameter in
            let escaped = parameter.value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
            return "\(parameter.name)=\"\(escaped.joined())\""
        }
        let first = challenge.token68.map { [$0] } ?? []
        return challenge.scheme + " " + (first + parameters).joined(separator: ", ")
    }
}
