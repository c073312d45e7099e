import HTTPBasics
import Locks
import TLSBasics

/// The certificates that are trusted by themselves: the machine's, or some that are given.
///
/// Those of the machine are read when they are first needed, and again when the file has changed. May be used from any
/// thread; reading a store blocks the threads that need it, for some milliseconds.
package final class TrustStore: Sendable {
    private enum Source {
        case given(Result<TrustAnchors, TrustProblem>)
        case places(TrustPlaces)
    }

    private struct Read {
        var anchors: Result<TrustAnchors, TrustProblem>
        var identity: TrustFiles.Identity
        var lastLook: UnixTime
    }

    private let source: Source
    private let lastRead = Lock<Read?>(nil)

    /// The machine's, shared by the whole process. The environment is asked once.
    package static let system = TrustStore(places: .ofProcess)

    package init(places: TrustPlaces) { source = .places(places) }

    /// Exactly these; those that cannot be read are passed over.
    package init(anchors: [CertificateBytes]) {
        source = .given(Self.anchors(anchors.compactMap { X509Certificate($0) }))
    }

    /// All of them, in no order; or why there are none.
    package func certificates(at now: UnixTime) -> Result<[X509Certificate], TrustProblem> {
        anchors(at: now).map(\.certificates)
    }

    /// How many certificates there are at this moment.
    package func count(at now: UnixTime) -> Int { (try? anchors(at: now).get().count) ?? 0 }

    /// - Parameter now: Decides when the files are looked at again: at most once in a second. Any clock will do.
    func anchors(at now: UnixTime) -> Result<TrustAnchors, TrustProblem> {
        switch source {
        case .given(let anchors): return anchors
        case .places(let places):
            return lastRead.withLock { read in
                if let last = read, last.lastLook == now { return last.anchors }
                let files = TrustFiles(places)
                if var last = read, last.identity == files.identity {
                    last.lastLook = now
                    read = last
                    return last.anchors
                }
                let anchors = Self.read(files)
                read = Read(anchors: anchors, identity: files.identity, lastLook: now)
                return anchors
            }
        }
    }

    private static func read(_ files: TrustFiles) -> Result<TrustAnchors, TrustProblem> {
        let certificates = files.certificates()
        guard !certificates.isEmpty else { return .failure(TrustProblem(.noAnchors, files.whyNone)) }
        return anchors(certificates)
    }

    private static func anchors(_ certificates: [X509Certificate]) -> Result<TrustAnchors, TrustProblem> {
        guard let anchors = TrustAnchors(certificates) else {
            return .failure(TrustProblem(.noAnchors, "There is no memory for the trusted certificates."))
        }
        return .success(anchors)
    }
}
