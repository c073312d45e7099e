import RuntimeLibraries

/// zstd (RFC 8878), with the system's libzstd where it is installed.
final class ZstdStream: CodedStream {
    /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
    private struct Buffer {
        var start: UnsafeRawPointer?
        var size: Int
        var position = 0
    }

    private struct Functions: Sendable {
        typealias Run = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int

        let create: @convention(c) () -> OpaquePointer?
        let destroy: @convention(c) (OpaquePointer?) -> Int
        let set: @convention(c) (OpaquePointer?, Int32, Int32) -> Int
        let run: Run
        let isError: @convention(c) (Int) -> UInt32

        init?(_ library: RuntimeLibrary) {
            let create = library.function("ZSTD_createDCtx", as: (@convention(c) () -> OpaquePointer?).self)
            let destroy = library.function("ZSTD_freeDCtx", as: (@convention(c) (OpaquePointer?) -> Int).self)
            let set = library.function(
                "ZSTD_DCtx_setParameter", as: (@convention(c) (OpaquePointer?, Int32, Int32) -> Int).self)
            let run = library.function("ZSTD_decompressStream", as: Run.self)
            let isError = library.function("ZSTD_isError", as: (@convention(c) (Int) -> UInt32).self)
            guard let create, let destroy, let set, let run, let isError else { return nil }
            (self.create, self.destroy, self.set, self.run, self.isError) = (create, destroy, set, run, isError)
        }
    }

    /// Looked for once, when it is first wanted.
    private static let functions = RuntimeLibrary("libzstd.so.1").flatMap { Functions($0) }
    /// `ZSTD_d_windowLogMax`, and what HTTP allows: 8 MiB (RFC 9659 3).
    private static let windowParameter: Int32 = 100, largestWindow: Int32 = 23

    static var isAvailable: Bool { functions != nil }

    private let functions: Functions
    private let state: OpaquePointer
    private var isAtFrame = true

    init?() {
        guard let functions = Self.functions, let state = functions.create() else { return nil }
        (self.functions, self.state) = (functions, state)
        guard functions.isError(functions.set(state, Self.windowParameter, Self.largestWindow)) == 0 else { return nil }
    }

    deinit { _ = functions.destroy(state) }

    func run(_ input: UnsafeRawBufferPointer, into space: UnsafeMutableRawBufferPointer) -> CodedStep {
        // Of a frame that lies there whole the library undoes any window at once: whether one is too large would depend
        // on how it came. Its first byte alone makes it go on like a stream.
        var bytes = Buffer(start: input.baseAddress, size: isAtFrame ? min(1, input.count) : input.count)
        if !input.isEmpty { isAtFrame = false }
        var room = Buffer(start: UnsafeRawPointer(space.baseAddress), size: space.count)
        let result = functions.run(state, &room, &bytes)
        var step = CodedStep(used: bytes.position, written: room.position)
        if functions.isError(result) != 0 {
            step.outcome = .corrupt
        } else if result == 0 {
            step.outcome = .ended
        } else {
            step.outcome = step.used == 0 && step.written == 0 ? .stalled : .goesOn
        }
        return step
    }

    /// The library begins a frame by itself.
    func restart() -> Bool {
        isAtFrame = true
        return true
    }
}
