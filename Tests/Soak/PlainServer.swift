import Foundation
import Glibc

/// A server of a few threads that costs the process nothing but them: whatever grows belongs to the sessions.
final class PlainServer: Sendable {
    enum Manner: CaseIterable {
        case answers
        /// It cannot listen.
        case refuses
        /// Accepts, and resets.
        case resets
        /// Accepts, and says nothing.
        case stalls
    }

    struct Trouble: Error { let what: String }

    let port: UInt16
    private let listener: Int32

    init(_ manner: Manner, threads: Int) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw Trouble(what: "no port: error \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        guard manner != .refuses else { return }
        guard listen(listener, 1024) == 0 else { throw Trouble(what: "cannot listen: error \(errno)") }
        for _ in 0..<threads {
            Thread.detachNewThread {
                while true {
                    let peer = accept(listener, nil, nil)
                    if peer >= 0 { PlainServer.serve(peer, manner) }
                }
            }
        }
    }

    /// The whole of 127.0.0.0/8 is this host: connections that have just ended keep their port only where they went to.
    func url(_ number: Int) -> URL? { URL(string: "http://127.0.\(number / 250 % 250).\(number % 250 + 1):\(port)/") }

    private static func serve(_ peer: Int32, _ manner: Manner) {
        defer { close(peer) }
        if manner == .resets {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(peer, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return
        }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        var request = [UInt8](repeating: 0, count: 4096)
        // A request fits into one read; the client ends the connection.
        while recv(peer, &request, request.count, 0) > 0 {
            if manner == .answers { send(peer, answer, answer.count, Int32(MSG_NOSIGNAL)) }
        }
    }
}
