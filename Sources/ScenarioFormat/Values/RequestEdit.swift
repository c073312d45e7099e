import HTTPBasics
import ServerScript

/// One thing that a caller does to a request before a task is made of it.
package enum RequestEdit: Hashable, Sendable {
    /// What the caller holds from here on, with the same content.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// An `NSMutableURLRequest`.
        case object
        /// What an archive of the request gives back.
        case archive
    }

    case add(Fields)
    case set(Fields)
    case remove([String])
    /// Nil is no field at all.
    case allFields(Fields?)
    case method(String)
    case url(String)
    case body(Content?)
    case timeout(Duration)
    case form(Form)
}
