#if !canImport(Darwin)
import Foundation

/// How our objects travel through an `NSCoder`: as one property list under one key.
///
/// Foundation's unarchiver on Linux ends the process when an archive holds a class that it did not expect in some
/// place. With a single `NSData` there is one such place, and all checks of the content are ours.
enum ArchivedState<State: Codable> {
    static func encode(_ state: State, into coder: NSCoder, key: String) {
        guard coder.allowsKeyedCoding else { return }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let data = try? encoder.encode(state) else { return }
        coder.encode(data as NSData, forKey: key)
    }

    static func decode(from coder: NSCoder, key: String) -> State? {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: key),
            let data = coder.decodeObject(of: NSData.self, forKey: key)
        else { return nil }
        return try? PropertyListDecoder().decode(State.self, from: data as Data)
    }
}

/// Header fields in an archive, in order.
struct ArchivedField: Codable {
    var name: String
    var value: String
}
#endif
