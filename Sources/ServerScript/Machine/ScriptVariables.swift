/// The named values and counters of a script. A round begins without any.
struct ScriptVariables: Hashable {
    /// More names are not kept, nor are longer values, nor more bytes in all: clients choose them.
    static let nameLimit = 5000
    static let valueLimit = 4 << 10
    static let byteLimit = 1 << 20
    /// What an entry takes besides its texts.
    private static let overhead = 64

    private var values: [String: String] = [:]
    private var counts: [String: Int] = [:]
    private var weight = 0

    func value(_ name: String) -> String? { values[name] }
    func count(_ name: String) -> Int { counts[name] ?? 0 }

    /// An empty value forgets the name. False when it cannot be kept.
    mutating func set(_ name: String, _ value: String) -> Bool {
        let old = values[name].map { ScriptVariables.weight(name, $0) } ?? 0
        guard !value.isEmpty else {
            values[name] = nil
            weight -= old
            return true
        }
        let new = ScriptVariables.weight(name, value)
        guard value.utf8.count <= ScriptVariables.valueLimit, name.utf8.count <= ScriptVariables.valueLimit,
            old > 0 || values.count < ScriptVariables.nameLimit, weight - old + new <= ScriptVariables.byteLimit
        else { return false }
        values[name] = value
        weight += new - old
        return true
    }

    mutating func increment(_ name: String) -> Bool {
        if let count = counts[name] {
            counts[name] = count &+ 1
            return true
        }
        let new = ScriptVariables.weight(name, "")
        guard counts.count < ScriptVariables.nameLimit, name.utf8.count <= ScriptVariables.valueLimit,
            weight + new <= ScriptVariables.byteLimit
        else { return false }
        counts[name] = 1
        weight += new
        return true
    }

    private static func weight(_ name: String, _ value: String) -> Int {
        overhead + name.utf8.count + value.utf8.count
    }
}
