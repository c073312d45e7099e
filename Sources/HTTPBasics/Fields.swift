/// Header or trailer fields in the order in which they were set, names compared without case (RFC 9110 5.1).
package struct Fields: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var list: [Field]

    package init(_ list: [Field] = []) { self.list = list }

    package var isEmpty: Bool { list.isEmpty }

    package func contains(_ name: String) -> Bool { list.contains { $0.name.equalsIgnoringCase(name) } }

    package func count(_ name: String) -> Int { list.count { $0.name.equalsIgnoringCase(name) } }

    /// The value of the first field of that name.
    package func first(_ name: String) -> String? { list.first { $0.name.equalsIgnoringCase(name) }?.value }

    package func values(_ name: String) -> [String] {
        list.compactMap { $0.name.equalsIgnoringCase(name) ? $0.value : nil }
    }

    /// All values of that name as one list value (RFC 9110 5.3), nil when there is none.
    package func joined(_ name: String) -> String? {
        var joined: String?
        for field in list where field.name.equalsIgnoringCase(name) {
            if joined == nil {
                joined = field.value
            } else {
                joined?.append(", ")
                joined?.append(field.value)
            }
        }
        return joined
    }

    /// Makes room for so many more at once.
    package mutating func reserve(_ count: Int) { list.reserveCapacity(list.count + count) }

    package mutating func append(_ name: String, _ value: String) { list.append(Field(name, value)) }

    /// Leaves exactly one field of that name, in the place of the first.
    package mutating func set(_ name: String, _ value: String) {
        guard let index = list.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else {
            return append(name, value)
        }
        list[index].value = value
        let later = list.index(after: index)
        list[later...].removeAll { $0.name.equalsIgnoringCase(name) }
    }

    package mutating func remove(_ name: String) { list.removeAll { $0.name.equalsIgnoringCase(name) } }

    /// Adds those fields of `defaults` whose names are not here yet.
    package mutating func fill(from defaults: Fields) {
        for field in defaults.list where !contains(field.name) { list.append(field) }
    }
}

/// Values that are secrets are in no text of a field, however it is printed.
extension Fields.Field: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(name): \(Secrets.shown(value, ofField: name))" }

    package var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
