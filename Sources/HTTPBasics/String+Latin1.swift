extension String {
    /// UTF-8 where it is valid, else Latin-1 (BEHAVIOUR 2.F24).
    @inlinable package init(wire bytes: some Collection<UInt8>) {
        // Nearly always it is US-ASCII, and that is much the quickest.
        self =
            bytes.isASCII
            ? String(decoding: bytes, as: UTF8.self)
            : String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
    }

    /// Each byte is the code point of its number (ISO 8859-1).
    @usableFromInline package init(latin1 bytes: some Collection<UInt8>) {
        self.init(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            var end = 0
            for byte in bytes {
                if byte < 0x80 {
                    text[end] = byte
                    end += 1
                } else {
                    text[end] = 0xC0 | byte >> 6
                    text[end + 1] = 0x80 | byte & 0x3F
                    end += 2
                }
            }
            return end
        }
    }
}
