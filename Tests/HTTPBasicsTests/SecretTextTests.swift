import HTTPBasics
import Testing

@Suite struct SecretTextTests {
    private static let fields = Fields([.init("Set-Cookie", "a=s3cret"), .init("X-A", "1")])

    @Test func `no text of it has what it says, nor of fields that hold such`() {
        let values: [Any] = [
            SecretText("s3cret"), ["s3cret"] as [SecretText], Self.fields, FieldBlock(Self.fields), Self.fields.list,
        ]
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("s3cret"))
            // Nor as bytes, in whatever base.
            #expect(!text.contains("73336372") && !text.contains("115, 51"))
        }
        #expect(SecretText("s3cret").text == "s3cret")
        #expect("\(Self.fields.list[1])" == "X-A: 1")
    }
}
