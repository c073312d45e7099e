import COpenSSL
import HTTPBasics
import TLSBasics

/// One block of a PEM text, with its two border lines.
struct PEMBlock {
    /// What stands after "BEGIN".
    let label: String
    let text: ArraySlice<UInt8>
    /// The number of its first line, from 1.
    let line: Int

    var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" }
    var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }

    /// A block without an end is one up to the end of the text, so that a text cut off is not taken for a shorter one.
    static func all(in text: [UInt8]) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var open: (label: String, start: Int, line: Int)?
        var line = 0
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: ASCII.lineFeed) ?? text.count
            line += 1
            if open == nil, let label = border("-----BEGIN ", text[start..<end]) {
                open = (label, start, line)
            } else if let begun = open, border("-----END ", text[start..<end]) == begun.label {
                blocks.append(PEMBlock(label: begun.label, text: text[begun.start..<end], line: begun.line))
                open = nil
            }
            start = end + 1
        }
        if let open { blocks.append(PEMBlock(label: open.label, text: text[open.start...], line: open.line)) }
        return blocks
    }

    private static func border(_ prefix: String, _ line: ArraySlice<UInt8>) -> String? {
        // Most lines are Base64, which has no hyphen.
        guard line.first == UInt8(ascii: "-"), line.starts(with: prefix.utf8) else { return nil }
        let rest = String(decoding: line.dropFirst(prefix.utf8.count), as: UTF8.self)
        return rest.firstRange(of: "-----").map { String(rest[..<$0.lowerBound]) }
    }

    var certificate: X509Certificate? { bytes.flatMap { X509Certificate($0) } }

    /// Of a certificate; whether it can be read is not looked at.
    var bytes: CertificateBytes? {
        let der: [UInt8]? = reading { memory in
            var name: UnsafeMutablePointer<CChar>?
            var header: UnsafeMutablePointer<CChar>?
            var data: UnsafeMutablePointer<UInt8>?
            var count = 0
            guard PEM_read_bio(memory, &name, &header, &data, &count) == 1 else { return nil }
            defer {
                openssl_free(name)
                openssl_free(header)
                openssl_free(data)
            }
            return data.map { [UInt8](UnsafeBufferPointer(start: $0, count: max(count, 0))) }
        }
        return der.map { CertificateBytes(der: $0) }
    }

    /// The key, and whether a passphrase was asked for.
    func privateKey(passphrase: String?) -> (key: PrivateKeyHandle?, wasAsked: Bool) {
        let secret = passphrase.map { Array($0.utf8CString) }
        let count = Int32(clamping: passphrase?.utf8.count ?? 0)
        var wasAsked = false
        let key: PrivateKeyHandle? = reading { memory in
            (secret ?? []).withUnsafeBufferPointer { bytes in
                var question = passphrase_question(
                    bytes: secret == nil ? nil : bytes.baseAddress, count: count, wasAsked: 0)
                let key = private_key_from_pem(memory, &question)
                wasAsked = question.wasAsked != 0
                return key.map { PrivateKeyHandle(owning: $0) }
            }
        }
        return (key, wasAsked)
    }

    private func reading<Value>(_ read: (OpaquePointer) -> Value?) -> Value? {
        CertificateErrors.forgotten {
            text.withUnsafeBytes { bytes in
                // OpenSSL takes an empty buffer without an address for an error.
                guard let start = bytes.baseAddress, let memory = BIO_new_mem_buf(start, Int32(clamping: bytes.count))
                else { return nil }
                defer { BIO_free(memory) }
                return read(memory)
            }
        }
    }
}
