import COpenSSL

/// Text out of OpenSSL's strings.
enum OpenSSLText {
    /// Whatever its kind, in UTF-8; nil when it cannot be converted. May hold NULs.
    static func utf8(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        guard let string else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&output, string)
        guard count >= 0, let output else { return nil }
        defer { openssl_free(output) }
        return String(decoding: UnsafeBufferPointer(start: output, count: Int(count)), as: UTF8.self)
    }

    static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        guard let string, let data = ASN1_STRING_get0_data(string) else { return [] }
        return [UInt8](UnsafeBufferPointer(start: data, count: Int(max(ASN1_STRING_length(string), 0))))
    }

    /// What a memory BIO holds.
    static func content(of memory: OpaquePointer) -> String {
        var start: UnsafeMutablePointer<CChar>?
        let count = bio_bytes(memory, &start)
        guard count > 0, let start else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A name that a peer has chosen, for a sentence: short, and without characters that a terminal would obey.
    static func shown(_ name: String) -> String {
        let most = 120
        var shown = ""
        for scalar in name.unicodeScalars.prefix(most) {
            let isPlain = scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
            shown += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return name.unicodeScalars.count > most ? shown + "…" : shown
    }
}
