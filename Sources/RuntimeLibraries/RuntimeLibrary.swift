#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A library of the system that is made use of where it is installed, and that no program depends on.
///
/// Once it is loaded it stays for as long as the process.
package struct RuntimeLibrary: @unchecked Sendable {
    // Safety: a handle never changes, and the system's calls with it may be made on any thread.
    private let handle: UnsafeMutableRawPointer

    /// Nil if it is not installed, or cannot be loaded.
    ///
    /// - Parameter name: Of its file, with the version whose functions are known: `libpsl.so.5`.
    package init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    /// Where something of it is, or of a library that it depends on; nil if neither has it.
    package func address(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }

    /// A function of it; nil as above.
    ///
    /// - Parameter kind: Its type, which must be that of a C function (`@convention(c)`), as its header has it. Nothing
    ///   else fits into the address of one, and is nil.
    package func function<Function>(_ name: String, as kind: Function.Type = Function.self) -> Function? {
        guard MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size else { return nil }
        return address(name).map { unsafeBitCast($0, to: kind) }
    }
}
