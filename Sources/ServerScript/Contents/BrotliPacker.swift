import RuntimeLibraries

/// brotli (RFC 7932), with the system's libbrotlienc where it is installed.
final class BrotliPacker: Packer {
    private struct Functions: Sendable {
        typealias Create = @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> OpaquePointer?
        typealias Bytes = UnsafeMutablePointer<UnsafePointer<UInt8>?>
        typealias Room = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
        typealias Count = UnsafeMutablePointer<Int>
        typealias Run = @convention(c) (OpaquePointer?, Int32, Count, Bytes, Count, Room, Count?) -> Int32

        let create: Create
        let destroy: @convention(c) (OpaquePointer?) -> Void
        let set: @convention(c) (OpaquePointer?, Int32, UInt32) -> Int32
        let run: Run
        let hasMore, isFinished: @convention(c) (OpaquePointer?) -> Int32

        init?(_ library: RuntimeLibrary) {
            let create = library.function("BrotliEncoderCreateInstance", as: Create.self)
            let destroy = library.function(
                "BrotliEncoderDestroyInstance", as: (@convention(c) (OpaquePointer?) -> Void).self)
            let set = library.function(
                "BrotliEncoderSetParameter", as: (@convention(c) (OpaquePointer?, Int32, UInt32) -> Int32).self)
            let run = library.function("BrotliEncoderCompressStream", as: Run.self)
            let hasMore = library.function(
                "BrotliEncoderHasMoreOutput", as: (@convention(c) (OpaquePointer?) -> Int32).self)
            let isFinished = library.function(
                "BrotliEncoderIsFinished", as: (@convention(c) (OpaquePointer?) -> Int32).self)
            guard let create, let destroy, let set, let run, let hasMore, let isFinished else { return nil }
            (self.create, self.destroy, self.set, self.run) = (create, destroy, set, run)
            (self.hasMore, self.isFinished) = (hasMore, isFinished)
        }
    }

    /// Looked for once, when it is first wanted.
    private static let functions = RuntimeLibrary("libbrotlienc.so.1").flatMap { Functions($0) }
    /// `BROTLI_PARAM_QUALITY`: as much as servers take while a client waits. The library's own is for what is packed
    /// once.
    private static let qualityParameter: Int32 = 1, quality: UInt32 = 5

    private let functions: Functions
    private let state: OpaquePointer

    init?() {
        guard let functions = Self.functions, let state = functions.create(nil, nil, nil) else { return nil }
        (self.functions, self.state) = (functions, state)
        guard functions.set(state, Self.qualityParameter, Self.quality) != 0 else { return nil }
    }

    deinit { functions.destroy(state) }

    func pack(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into room: UnsafeMutableRawBufferPointer
    ) -> PackedStep? {
        var bytes = input.bindMemory(to: UInt8.self).baseAddress, left = input.count
        var space = room.bindMemory(to: UInt8.self).baseAddress, free = room.count
        // BrotliEncoderOperation: process, or finish.
        guard functions.run(state, isLast ? 2 : 0, &left, &bytes, &free, &space, nil) != 0 else { return nil }
        let isDone = isLast ? functions.isFinished(state) != 0 : left == 0 && functions.hasMore(state) == 0
        return PackedStep(used: input.count - left, written: room.count - free, isDone: isDone)
    }
}
