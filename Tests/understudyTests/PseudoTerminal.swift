import Foundation

/// A terminal that a program writes to, and a test reads from.
final class PseudoTerminal {
    /// TIOCSPTLCK and TIOCGPTN, which Swift does not know; `posix_openpt` and its kin are not in its Glibc either.
    private static let setLock: UInt = 0x4004_5431, getNumber: UInt = 0x8004_5430

    private let master: Int32
    /// What the program is given.
    let device: FileHandle

    init(columns: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0, number: UInt32 = 0
        guard ioctl(master, PseudoTerminal.setLock, &lock) == 0, ioctl(master, PseudoTerminal.getNumber, &number) == 0
        else { throw POSIXError(.ENODEV) }
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        device = FileHandle(
            fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: true)
    }

    deinit { close(master) }

    /// Everything until the program has ended. It is read while the program runs: a terminal holds little.
    func readToEnd() throws -> String {
        try device.close()
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &piece, piece.count)
            // EIO: the other side is closed.
            guard count > 0 || errno == EINTR else { return String(decoding: text, as: UTF8.self) }
            text += piece.prefix(max(0, count))
        }
    }
}

/// How a command uses a terminal: for standard error, and perhaps for standard output.
struct TerminalUse {
    var terminal: PseudoTerminal
    var hasOutput = false
    var environment: [String: String] = [:]
}
