import HTTPBasics
import MachineContract
import NIOCore

/// Temporary stand-in on the branch `sockets`: answers every request with the same bytes.
package final class ScriptMachine: Machine {
    package static let timePassed = ScriptInput.timePassed
    package private(set) var deadline: Instant?
    package private(set) var isExhausted = true
    package private(set) var unconsumedSteps: [Step] = []

    package init(script: Script, origins: [String: String]) {}

    package func handle(_ input: ScriptInput, at moment: Moment, into outputs: inout [ScriptOutput]) {
        switch input {
        case .accepted(let peer, _):
            outputs.append(.journal(ServerEvent(peer: peer, exchange: 0, instant: moment.instant, kind: .accepted)))
        case .received(let peer, let bytes):
            guard bytes.readableBytesView.suffix(4) == ByteBuffer(string: "\r\n\r\n").readableBytesView else { return }
            outputs.append(.write(peer, ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")))
        case .inputClosed(let peer): outputs.append(.close(peer))
        case .signal(let name): outputs.append(.signal(name))
        case .closed, .wrote, .cut, .timePassed: break
        }
    }
}
