import HTTPBasics

/// The part of a representation that a request carries, by its Content-Range (RFC 9110 14.4, 14.5). The judge's own
/// reading of the field.
package struct SliceRange: Hashable, Sendable {
    package var range: Range<Int>
    /// Of the whole.
    package var size: Int

    package static func parse(_ values: [String]) throws(Malformed) -> SliceRange {
        guard values.count == 1 else {
            throw Malformed(values.isEmpty ? "no Content-Range" : "more than one Content-Range")
        }
        let words = values[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].equalsIgnoringCase("bytes") else {
            throw Malformed("Content-Range is not 'bytes first-last/size'")
        }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, bounds.count == 2, let first = RequestRules.decimal(bounds[0]),
            let last = RequestRules.decimal(bounds[1]), let size = RequestRules.decimal(halves[1])
        else { throw Malformed("Content-Range is not 'bytes first-last/size'") }
        guard first <= last, last < size else { throw Malformed("Content-Range contradicts itself") }
        return SliceRange(range: first..<(last + 1), size: size)
    }
}
