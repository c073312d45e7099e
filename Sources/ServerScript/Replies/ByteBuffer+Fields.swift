import HTTPBasics
import NIOCore

extension ByteBuffer {
    /// Adds a line for each field.
    mutating func writeLines(of fields: Fields) {
        for field in fields.list {
            writeString(field.name)
            writeStaticString(": ")
            writeString(field.value)
            writeStaticString("\r\n")
        }
    }
}
