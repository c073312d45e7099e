import Foundation
import NIOCore

/// `make fuzz` builds this with a fuzzing engine, which brings a `main` of its own and calls `LLVMFuzzerTestOneInput`
/// for ever. Every other build, that of a plain clone among them, needs no engine: there it is a small command that
/// tries the files that it is given, which is what one wants in a debugger.
///
/// One executable for all targets, because they share nearly everything that has to be built and instrumented. It
/// stands in the package and not beside it like Benchmarks, because what it tries is for this package's eyes only. The
/// environment names the target: the engine's arguments are the engine's, and it starts copies of itself.
enum Fuzz {
    static let targetVariable = "FUZZ_TARGET"

    static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment[targetVariable] ?? ""
        if let target = FuzzTarget(rawValue: name) { return target }
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        stop("\(targetVariable) must name a target: \(names)")
    }()

    /// Stops at the first violation, in the way that an engine takes for a crash.
    static func run(_ bytes: UnsafeRawBufferPointer) {
        do {
            try target.check(ByteBuffer(bytes: bytes))
        } catch {
            stop("\(target.rawValue): \(error)")
        }
    }

    private static func stop(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        abort()
    }
}

#if FUZZER
/// What the engine calls with one input after another.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafeRawPointer?, _ count: Int) -> CInt {
    Fuzz.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
#else
@main
extension Fuzz {
    static func main() {
        for path in CommandLine.arguments.dropFirst() {
            guard let bytes = FuzzTarget.contents(of: path) else { stop("\(path) cannot be read") }
            print(path)
            bytes.withUnsafeBytes(run)
        }
    }
}
#endif
