/// Why a run could not begin: the user's mistake, in words for the user.
package struct UsageError: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
