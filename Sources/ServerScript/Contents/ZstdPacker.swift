import RuntimeLibraries

/// zstd (RFC 8878), with the system's libzstd where it is installed; with a checksum at the end.
final class ZstdPacker: Packer {
    /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
    private struct Buffer {
        var start: UnsafeRawPointer?
        var size: Int
        var position = 0
    }

    private struct Functions: Sendable {
        typealias Run =
            @convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int32) -> Int

        let create: @convention(c) () -> OpaquePointer?
        let destroy: @convention(c) (OpaquePointer?) -> Int
        let set: @convention(c) (OpaquePointer?, Int32, Int32) -> Int
        let run: Run
        let isError: @convention(c) (Int) -> UInt32

        init?(_ library: RuntimeLibrary) {
            let create = library.function("ZSTD_createCCtx", as: (@convention(c) () -> OpaquePointer?).self)
            let destroy = library.function("ZSTD_freeCCtx", as: (@convention(c) (OpaquePointer?) -> Int).self)
            let set = library.function(
                "ZSTD_CCtx_setParameter", as: (@convention(c) (OpaquePointer?, Int32, Int32) -> Int).self)
            let run = library.function("ZSTD_compressStream2", as: Run.self)
            let isError = library.function("ZSTD_isError", as: (@convention(c) (Int) -> UInt32).self)
            guard let create, let destroy, let set, let run, let isError else { return nil }
            (self.create, self.destroy, self.set, self.run, self.isError) = (create, destroy, set, run, isError)
        }
    }

    /// Looked for once, when it is first wanted.
    private static let functions = RuntimeLibrary("libzstd.so.1").flatMap { Functions($0) }
    /// `ZSTD_c_checksumFlag`.
    private static let checksumParameter: Int32 = 201

    private let functions: Functions
    private let state: OpaquePointer

    init?() {
        guard let functions = Self.functions, let state = functions.create() else { return nil }
        (self.functions, self.state) = (functions, state)
        guard functions.isError(functions.set(state, Self.checksumParameter, 1)) == 0 else { return nil }
    }

    deinit { _ = functions.destroy(state) }

    func pack(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into room: UnsafeMutableRawBufferPointer
    ) -> PackedStep? {
        var bytes = Buffer(start: input.baseAddress, size: input.count)
        var space = Buffer(start: UnsafeRawPointer(room.baseAddress), size: room.count)
        // ZSTD_EndDirective: continue, or end.
        let result = functions.run(state, &space, &bytes, isLast ? 2 : 0)
        guard functions.isError(result) == 0 else { return nil }
        let isDone = isLast ? result == 0 : bytes.position == input.count
        return PackedStep(used: bytes.position, written: space.position, isDone: isDone)
    }
}
