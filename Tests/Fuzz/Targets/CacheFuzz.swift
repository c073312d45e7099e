import ClientMachines
import HTTPBasics
import NIOCore

/// What a cache makes of fields. The first line has the request's Cache-Control, the others are fields of a response.
enum CacheFuzz {
    private static let came = UnixTime(seconds: 1_000_000_000)

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let asked = Fields([.init("Cache-Control", input.firstLine)])
        let fields = Fields(
            String(buffer: input.rest).split(separator: "\n").compactMap { line in
                let halves = line.split(separator: ":", maxSplits: 1)
                return halves.count == 2 ? Fields.Field(String(halves[0]), String(halves[1])) : nil
            })
        let stored = StoredResponse(
            status: 200, fields: fields, asked: came, received: came,
            variant: Variant(of: fields, to: fields) ?? Variant())
        try demand(stored.variant.matches(fields), "the same request is another variant")
        for seconds in [came.seconds, came.seconds + 60, .min, .max] {
            try check(stored, asked, at: UnixTime(seconds: seconds))
        }
    }

    private static func check(_ stored: StoredResponse, _ asked: Fields, at now: UnixTime) throws {
        let freshness = Freshness(of: stored, at: now)
        try demand(.zero...CacheControl.longest ~= freshness.age, "an age of \(freshness.age)")
        try demand(.zero...CacheControl.longest ~= freshness.lifetime, "a lifetime of \(freshness.lifetime)")
        let decision = ReuseDecision.decide(.useProtocol, method: "GET", fields: asked, stored: stored, at: now)
        let plain = ReuseDecision.decide(.useProtocol, method: "GET", fields: Fields(), stored: stored, at: now)
        if plain == .use { try demand(freshness.isFresh, "stale, and used though nobody said so") }
        if decision == .use, plain != .use {
            try demand(
                CacheControl(ofRequest: asked).maxStale != nil,
                "a request with more conditions is met, and one without is not")
        }
        guard ConditionalFields.of(stored) != nil,
            let updated = Confirmation.update(stored, by: stored.fields, to: stored.fields, asked: now, received: now)
        else { return }
        let again = Confirmation.update(updated, by: stored.fields, to: stored.fields, asked: now, received: now)
        try demand(again, equals: updated, "the same confirmation says something else")
    }
}
