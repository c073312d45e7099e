import Glibc
import MachineContract

/// The faults of one file, asked before each of its actions.
package struct DiskFaults: Sendable {
    private let list: [DiskFault]

    package init(_ list: [DiskFault]) { self.list = list }

    /// The error number that opening or closing ends with.
    package func code(at landmark: DiskFault.Landmark) -> Int32? {
        list.lazy.filter { $0.landmark == landmark }.compactMap(\.effect.code).first
    }

    /// How many of these bytes, which go to this place of the file, are taken, and the error number after them.
    package func limit(of count: Int, at position: Int64) -> (bytes: Int, code: Int32)? {
        for fault in list {
            guard case .write(let first) = fault.landmark, let code = fault.effect.code,
                position + Int64(count) > first
            else { continue }
            return (Int(max(0, first - position)), code)
        }
        return nil
    }

    /// The error number that a read ends with which goes up to this place.
    package func code(ofReadTo end: Int64) -> Int32? {
        list.lazy.filter {
            if case .read(let first) = $0.landmark { end > first } else { false }
        }.compactMap(\.effect.code).first
    }

    /// What a read has brought, with other bytes where the disk has not kept what it was given.
    ///
    /// - Parameter start: Of what was read.
    package func alter(_ bytes: UnsafeMutableRawBufferPointer, readFrom start: Int64) {
        for fault in list where fault.effect == .altered {
            guard case .read(let place) = fault.landmark, start..<start + Int64(bytes.count) ~= place else { continue }
            bytes[Int(place - start)] ^= 1
        }
    }

    /// How long an action takes, apart from itself.
    package func delay(of action: DiskFault.Landmark) -> Duration {
        list.reduce(.zero) { sum, fault in
            guard case .delay(let span) = fault.effect else { return sum }
            switch (fault.landmark, action) {
            case (.open, .open), (.close, .close): return sum + span
            case (.write(let first), .write(let end)), (.read(let first), .read(let end)):
                return end > first ? sum + span : sum
            default: return sum
            }
        }
    }
}

extension DiskFault.Effect {
    /// The error number; nil for what is no error.
    fileprivate var code: Int32? {
        switch self {
        case .full: ENOSPC
        case .denied: EACCES
        case .broken: EIO
        case .altered, .delay: nil
        }
    }
}
