import COpenSSL
import TLSBasics

/// Seals a record with the keys that a server writes with, so that it can say what OpenSSL never says by itself.
/// OpenSSL knows nothing of such a record: nothing that it seals can be opened behind it.
struct RecordSealer {
    private let cipher: OpaquePointer
    private let key: [UInt8]
    /// The part of each nonce that is the same for all records.
    private let fixed: [UInt8]
    /// GCM of TLS 1.2: the other part stands in the record (RFC 5288 3).
    private let saysNonce: Bool
    private let isTLS13: Bool
    private let number: UInt64

    private static let headerVersion: [UInt8] = [3, 3]
    private static let tagLength = 16

    /// Nil for cipher suites that are not AEAD, or are with CCM, and before the connection is secured.
    ///
    /// - Parameter dropped: How many records were sealed last that do not go out.
    init?(_ ssl: OpaquePointer, _ dialogue: TLSDialogue, inPlaceOf dropped: UInt64 = 0) {
        guard let suite = SSL_get_current_cipher(ssl), SSL_CIPHER_is_aead(suite) == 1,
            let cipher = EVP_get_cipherbyname(OBJ_nid2sn(SSL_CIPHER_get_cipher_nid(suite))),
            let digest = SSL_CIPHER_get_handshake_digest(suite), EVP_CIPHER_get_mode(cipher) != EVP_CIPH_CCM_MODE
        else { return nil }
        self.cipher = cipher
        number = dialogue.recordsSealed - min(dropped, dialogue.recordsSealed)
        isTLS13 = SSL_version(ssl) == Int32(TLSVersion.tls13.rawValue)
        saysNonce = !isTLS13 && EVP_CIPHER_get_mode(cipher) == EVP_CIPH_GCM_MODE
        let keyLength = Int(EVP_CIPHER_get_key_length(cipher))
        if isTLS13 {
            guard var secret = dialogue.writeSecret else { return nil }
            for _ in 0..<dialogue.keyUpdates { secret = Self.expand(secret, "traffic upd", secret.count, digest) }
            key = Self.expand(secret, "key", keyLength, digest)
            fixed = Self.expand(secret, "iv", 12, digest)
        } else {
            let fixedLength = saysNonce ? 4 : 12
            let block = Self.keyBlock(ssl, keyLength, fixedLength: fixedLength, digest)
            key = Array(block[keyLength..<2 * keyLength])
            fixed = Array(block.suffix(fixedLength))
        }
    }

    /// The whole record, header and all; nil if OpenSSL fails.
    func seal(_ content: [UInt8], type: UInt8) -> [UInt8]? {
        let place = Self.bytes(of: number)
        let explicit = saysNonce ? place : []
        let nonce = saysNonce ? fixed + explicit : zip(fixed, [0, 0, 0, 0] + place).map { $0 ^ $1 }
        let plain = isTLS13 ? content + [type] : content
        let length = explicit.count + plain.count + Self.tagLength
        let header = [isTLS13 ? 23 : type] + Self.headerVersion + [UInt8(length >> 8), UInt8(length & 255)]
        let extra =
            isTLS13
            ? header : place + [type] + Self.headerVersion + [UInt8(plain.count >> 8), UInt8(plain.count & 255)]
        return encrypt(plain, nonce: nonce, extra: extra).map { header + explicit + $0 }
    }

    private func encrypt(_ plain: [UInt8], nonce: [UInt8], extra: [UInt8]) -> [UInt8]? {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, cipher, nil, nil, nil) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1,
            EVP_EncryptInit_ex(context, nil, nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, nil, &count, extra, Int32(extra.count)) == 1,
            EVP_EncryptUpdate(context, &sealed, &count, plain, Int32(plain.count)) == 1,
            EVP_EncryptFinal_ex(context, &tag, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), &tag) == 1
        else { return nil }
        return sealed + tag
    }

    // MARK: - Keys

    /// HKDF-Expand-Label of RFC 8446 7.1 with an empty context, for lengths of one hash at most.
    private static func expand(_ secret: [UInt8], _ label: String, _ count: Int, _ digest: OpaquePointer) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let info = [UInt8(count >> 8), UInt8(count & 255), UInt8(name.count)] + name + [0, 1]
        return Array(authenticate(info, secret, digest).prefix(count))
    }

    /// Client's key, server's key, client's IV, server's IV: RFC 5246 6.3 without MAC keys.
    private static func keyBlock(
        _ ssl: OpaquePointer, _ keyLength: Int, fixedLength: Int, _ digest: OpaquePointer
    ) -> [UInt8] {
        var master = [UInt8](repeating: 0, count: 48)
        var client = [UInt8](repeating: 0, count: 32), server = client
        SSL_SESSION_get_master_key(SSL_get_session(ssl), &master, master.count)
        SSL_get_client_random(ssl, &client, client.count)
        SSL_get_server_random(ssl, &server, server.count)
        let seed = Array("key expansion".utf8) + server + client
        var chain = seed, block: [UInt8] = []
        while block.count < 2 * (keyLength + fixedLength) {
            chain = authenticate(chain, master, digest)
            block += authenticate(chain + seed, master, digest)
        }
        return Array(block.prefix(2 * (keyLength + fixedLength)))
    }

    private static func authenticate(_ text: [UInt8], _ key: [UInt8], _ digest: OpaquePointer) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE)), count: UInt32 = 0
        HMAC(digest, key, Int32(key.count), text, text.count, &code, &count)
        return Array(code.prefix(Int(count)))
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
