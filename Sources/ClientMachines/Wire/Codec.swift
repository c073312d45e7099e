import HTTPBasics
import MachineContract
import NIOCore

/// What a connection speaks once it is open: turns what tasks say into bytes, and the bytes that come into events.
///
/// A codec tells its exchanges apart by their tasks: a task has one exchange at most. It alone knows how messages are
/// framed, whose bytes are on their way, and whether the connection is good for more.
package protocol Codec: AnyObject {
    init(for connection: ConnectionID, _ settings: ClientSettings)

    /// How many exchanges can be under way at the same time.
    var capacity: Int { get }

    // MARK: What tasks say

    /// A request sets out; only after this is anything else said or asked about the exchange.
    ///
    /// - Returns: How many bytes the head takes on the wire.
    func begin(_ task: TaskID, _ head: OutgoingHead, _ start: BodyStart, into outputs: inout [ClientOutput]) -> Int
    func send(_ part: BodyPart, of task: TaskID, into outputs: inout [ClientOutput])
    /// The transport took bytes.
    func took(_ bytes: Int)
    /// Whose they were, exchange by exchange; nil when all have been named.
    func nextSent() -> (task: TaskID, sent: SentBytes)?

    // MARK: What tasks hear

    func feed(_ bytes: ByteBuffer)
    /// For whom something came since the last time, be it enough for an event or not; nil when all have been named.
    func nextHeard() -> TaskID?
    /// The peer sends nothing more: in order, or because the connection broke.
    func inputEnded(inOrder: Bool)
    func next(for task: TaskID) -> ResponseEvent?
    /// How much of its answer has come; nil before it is begun.
    func received(by task: TaskID) -> (head: Int64, body: Int64)?
    /// The rest of its answer, if all of it is here, in one piece, and ends well.
    func wholeRest(for task: TaskID) -> ByteBuffer?
    /// How many bytes are sure to come besides those that came; 0 when that is not known.
    var bytesDue: Int { get }

    // MARK: The end

    /// The exchange is over: its answer has been heard to the end.
    ///
    /// - Returns: Whether the connection may carry another one.
    func end(_ task: TaskID) -> Bool
    /// The exchange is given up.
    ///
    /// - Returns: Whether the connection is good for others all the same.
    func abandon(_ task: TaskID) -> Bool
    /// How long the server says that it keeps the connection unused.
    var keepAlive: Duration? { get }
    /// What came behind the end of the last exchange, for what takes the connection over from here.
    func takeUnread() -> [ByteBuffer]
}
