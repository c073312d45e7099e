import RuntimeLibraries

/// brotli (RFC 7932), with the system's libbrotlidec where it is installed. A window has at most 16 MiB.
final class BrotliStream: CodedStream {
    private struct Functions: Sendable {
        typealias Bytes = UnsafeMutablePointer<UnsafePointer<UInt8>?>
        typealias Room = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
        typealias Count = UnsafeMutablePointer<Int>

        let create: @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> OpaquePointer?
        let destroy: @convention(c) (OpaquePointer?) -> Void
        let run: @convention(c) (OpaquePointer?, Count, Bytes, Count, Room, Count?) -> Int32

        init?(_ library: RuntimeLibrary) {
            let create = library.function(
                "BrotliDecoderCreateInstance",
                as: (@convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> OpaquePointer?).self)
            let destroy = library.function(
                "BrotliDecoderDestroyInstance", as: (@convention(c) (OpaquePointer?) -> Void).self)
            let run = library.function(
                "BrotliDecoderDecompressStream",
                as: (@convention(c) (OpaquePointer?, Count, Bytes, Count, Room, Count?) -> Int32).self)
            guard let create, let destroy, let run else { return nil }
            (self.create, self.destroy, self.run) = (create, destroy, run)
        }
    }

    /// Looked for once, when it is first wanted.
    private static let functions = RuntimeLibrary("libbrotlidec.so.1").flatMap { Functions($0) }

    static var isAvailable: Bool { functions != nil }

    private let functions: Functions
    private let state: OpaquePointer

    init?() {
        guard let functions = Self.functions, let state = functions.create(nil, nil, nil) else { return nil }
        (self.functions, self.state) = (functions, state)
    }

    deinit { functions.destroy(state) }

    func run(_ input: UnsafeRawBufferPointer, into space: UnsafeMutableRawBufferPointer) -> CodedStep {
        var bytes = input.bindMemory(to: UInt8.self).baseAddress, left = input.count
        var room = space.bindMemory(to: UInt8.self).baseAddress, free = space.count
        let result = functions.run(state, &left, &bytes, &free, &room, nil)
        var step = CodedStep(used: input.count - left, written: space.count - free)
        // BrotliDecoderResult: an error, the end, more input is needed, more room is needed.
        switch result {
        case 1: step.outcome = .ended
        case 2, 3: step.outcome = step.used == 0 && step.written == 0 ? .stalled : .goesOn
        default: step.outcome = .corrupt
        }
        return step
    }

    func restart() -> Bool { false }
}
