/// The named values and counters of a script. A round begins without any.
struct ScriptVariables: Hashable {
    /// More names are not kept, nor are longer values.
    static let nameLimit = 10_000
    static let valueLimit = 4 << 10

    private var values: [String: String] = [:]
    private var counts: [String: Int] = [:]

    func value(_ name: String) -> String? { values[name] }
    func count(_ name: String) -> Int { counts[name] ?? 0 }

    /// An empty value forgets the name. False when it cannot be kept.
    mutating func set(_ name: String, _ value: String) -> Bool {
        guard !value.isEmpty else {
            values[name] = nil
            return true
        }
        guard value.utf8.count <= ScriptVariables.valueLimit, name.utf8.count <= ScriptVariables.valueLimit,
            values[name] != nil || values.count < ScriptVariables.nameLimit
        else { return false }
        values[name] = value
        return true
    }

    mutating func increment(_ name: String) -> Bool {
        guard counts[name] != nil || counts.count < ScriptVariables.nameLimit,
            name.utf8.count <= ScriptVariables.valueLimit
        else { return false }
        counts[name, default: 0] &+= 1
        return true
    }
}
