import DequeModule
import NIOCore

/// One exchange as it went over the wire, with the bytes of its answer's body that have not been compared yet.
final class ExchangeBody {
    /// What a client may read without any task wanting it, before the bytes are given up.
    private static let keptBytes = 4 << 20

    let exchange: Int
    let target: String
    private(set) var status: Int?
    /// False when the wire cannot tell: a content coding, or bytes that are not beyond doubt.
    private(set) var isComparable = true
    private(set) var isComplete = false
    /// Body bytes that entered the connection.
    private(set) var sent = 0
    /// Of these, how many were compared.
    private(set) var compared = 0
    var owner: TaskKey?
    private var pending: Deque<ByteBuffer> = []

    init(exchange: Int, target: String = "") { (self.exchange, self.target) = (exchange, target) }

    func begin(status: Int, isCoded: Bool) {
        self.status = status
        if isCoded { giveUp() }
    }

    func append(_ bytes: ByteBuffer) {
        sent += bytes.readableBytes
        guard isComparable else { return }
        pending.append(bytes)
        if sent - compared > Self.keptBytes { giveUp() }
    }

    func end() { isComplete = true }

    func giveUp() {
        isComparable = false
        pending.removeAll()
    }

    /// Compares the next bytes; the offset of the first difference, nil when all are equal.
    func mismatch(with bytes: ByteBuffer) -> Int? {
        var bytes = bytes
        while bytes.readableBytes > 0 {
            guard let first = pending.first else { return compared }
            let count = min(bytes.readableBytes, first.readableBytes)
            guard let left = bytes.readSlice(length: count), let right = pending[0].readSlice(length: count) else {
                return compared
            }
            if left != right {
                let common = zip(left.readableBytesView, right.readableBytesView).prefix { $0 == $1 }.count
                return compared + common
            }
            compared += count
            if pending[0].readableBytes == 0 { pending.removeFirst() }
        }
        return nil
    }
}
