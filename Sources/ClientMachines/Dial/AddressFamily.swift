/// The two kinds of internet address, in the order in which they are asked for and tried (RFC 8305 3 and 4).
package enum AddressFamily: String, Hashable, Sendable, CaseIterable {
    case v6, v4
}
