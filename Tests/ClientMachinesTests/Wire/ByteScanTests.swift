import Testing

@testable import ClientMachines

@Suite struct ByteScanTests {
    @Test(arguments: [14, 97, 255] as [UInt8])
    func `the first byte below 14 is found wherever it stands, and no other`(around: UInt8) {
        for length in [1, 7, 8, 9, 15, 16, 17, 25] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: around, count: length)
                    bytes[place] = byte
                    let found = bytes.withUnsafeBytes { ByteScan.firstControl(in: $0, from: 0, to: length) }
                    guard found != (byte < 14 ? place : nil) else { continue }
                    Issue.record("\(byte) at \(place) of \(length): \(String(describing: found))")
                }
            }
        }
    }

    @Test func `what lies before or behind is not looked at`() {
        let bytes: [UInt8] = [0, 97, 97, 10, 97, 97, 97, 97, 97, 97, 97, 97, 0]
        let cases: [(Int, Int, Int?)] = [(0, 13, 0), (1, 13, 3), (4, 13, 12), (4, 12, nil), (1, 3, nil), (3, 3, nil)]
        for (from, to, expected) in cases {
            #expect(bytes.withUnsafeBytes { ByteScan.firstControl(in: $0, from: from, to: to) } == expected)
        }
    }

    @Test(
        arguments: [
            ("A", "a", true), ("Z", "z", true), ("a", "a", true), ("z", "z", true), ("@", "@", true), ("[", "[", true),
            ("[", "{", false), ("@", "`", false), ("{", "{", true), ("-", "-", true), ("Q", "z", false),
            ("aa", "a", false),
        ] as [(String, StaticString, Bool)])
    func `names are equal whatever the case of their letters`(text: String, name: StaticString, areEqual: Bool) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { ByteScan.equals(0..<bytes.count, name, in: $0) } == areEqual)
    }
}
