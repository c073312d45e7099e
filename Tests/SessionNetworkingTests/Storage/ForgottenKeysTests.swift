import HTTPBasics
import MachineContract
import Testing

@testable import ClientMachines
@testable import SessionNetworking

@Suite struct ForgottenKeysTests {
    private func outdating(_ key: CacheKey, at nanoseconds: Int64) -> OutdatingAnswer {
        let moment = Moment(instant: Instant(nanoseconds: nanoseconds), date: UnixTime(seconds: 0), entropy: 0)
        return OutdatingAnswer(to: SentFields(own: Fields(), defaults: Fields()), for: key, asked: moment)
    }

    @Test(arguments: [(true, false), (false, true)])
    func `who asks for the same again and again takes one place`(isSame: Bool, isForgotten: Bool) throws {
        let first = try #require(CacheKey(URLReference(scheme: "http", host: "a.test")))
        var keys = ForgottenKeys()
        keys.outdate(by: outdating(first, at: 5))
        for number in 0..<300 {
            let path = isSame ? "/b" : "/\(number)"
            let other = try #require(CacheKey(URLReference(scheme: "http", host: "b.test", path: path)))
            keys.outdate(by: outdating(other, at: 6 + Int64(number)))
        }
        // Another variant is not outdated. Only where there was no place to remember which, all are.
        let variant = StoredResponse(
            status: 200, fields: Fields(), asked: UnixTime(seconds: 0), received: UnixTime(seconds: 0),
            variant: Variant(values: ["accept-language": "de"]))
        #expect(keys.wasForgotten(variant, of: first, since: Instant(nanoseconds: 3)) == isForgotten)
    }
}
