#if !canImport(Darwin)
import Foundation

// The names of Core Foundation that code for Apple's Security framework uses. With the classes of Foundation behind
// them `data as CFData` and `host as CFString` compile as they do on Apple's platforms, because Swift bridges its own
// types to those classes on Linux too. The module CoreFoundation of the toolchain has C structures of these names,
// which are not bridged: a file that imports both modules must say which one it means.

/// Bytes: `data as CFData` and `cfData as Data` convert.
public typealias CFData = NSData
/// Text: `text as CFString` and `cfString as String` convert.
public typealias CFString = NSString
/// A list: `[certificate] as CFArray` and `cfArray as? [SecCertificate]` convert.
public typealias CFArray = NSArray
/// A table: `options as CFDictionary` and `cfDictionary as? [String: Any]` convert.
public typealias CFDictionary = NSDictionary
/// A moment: `date as CFDate` and `cfDate as Date` convert.
public typealias CFDate = NSDate
/// A number or a Boolean.
public typealias CFNumber = NSNumber
/// A number or a Boolean.
public typealias CFBoolean = NSNumber
/// An error, which can be thrown.
public typealias CFError = NSError
/// Any of these, or one of Security's objects.
public typealias CFTypeRef = AnyObject
/// A count, or a position in a `CFArray`.
public typealias CFIndex = Int
/// A union of flags.
public typealias CFOptionFlags = UInt
/// Seconds since 2001-01-01T00:00:00Z.
public typealias CFAbsoluteTime = Double
/// The code of an error; 0 for success.
public typealias OSStatus = Int32

/// Chooses where memory comes from on Apple's platforms. Here there are no objects of it: pass nil.
public final class CFAllocator: Sendable {
    private init() {}
}

/// The usual allocator: nil.
public let kCFAllocatorDefault: CFAllocator? = nil

/// What says of which class an object is.
public typealias CFTypeID = UInt

/// The class of an object, to compare with `SecCertificateGetTypeID()` and its like.
///
/// Differs from Apple: classes of Foundation have subclasses, so that two strings may have different numbers.
public func CFGetTypeID(_ cf: CFTypeRef) -> CFTypeID { UInt(bitPattern: ObjectIdentifier(type(of: cf))) }

/// Whether two objects say the same, as `NSObject.isEqual(_:)`.
public func CFEqual(_ cf1: CFTypeRef, _ cf2: CFTypeRef) -> Bool {
    cf1 === cf2 || (cf1 as? NSObject)?.isEqual(cf2) == true
}

/// The number of bytes.
public func CFDataGetLength(_ theData: CFData) -> CFIndex { theData.length }

/// The bytes, which live as long as the data does.
public func CFDataGetBytePtr(_ theData: CFData) -> UnsafePointer<UInt8>? {
    theData.length > 0 ? theData.bytes.assumingMemoryBound(to: UInt8.self) : nil
}

/// The number of elements.
public func CFArrayGetCount(_ theArray: CFArray) -> CFIndex { theArray.count }

/// The error's code, as `NSError.code`.
public func CFErrorGetCode(_ err: CFError) -> CFIndex { err.code }

/// The error's domain, as `NSError.domain`.
public func CFErrorGetDomain(_ err: CFError) -> CFString { err.domain as CFString }

/// A sentence for people, as `NSError.localizedDescription`.
public func CFErrorCopyDescription(_ err: CFError) -> CFString { err.localizedDescription as CFString }
#endif
