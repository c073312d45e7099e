import Foundation
import HTTPBasics
import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: the trust store")
struct TrustStoreTests {
    let made: MadeChains

    init() throws { made = try MadeChains.shared.get() }

    private func at(_ seconds: Int64) -> UnixTime { UnixTime(seconds: seconds) }

    @Test("This machine's store is read once, and quickly")
    func system() {
        let store = TrustStore.system
        #expect(store.count(at: at(1)) > 0)
        let clock = ContinuousClock()
        #expect(clock.measure { for second in 0..<1_000 { _ = store.count(at: at(Int64(second))) } } < .seconds(1))
    }

    @Test("A file that changes is read again, but looked at once in a second")
    func changes() throws {
        let path = made.maker.path("bundle.pem")
        let store = TrustStore(places: TrustPlaces(files: [path], directories: []))
        #expect(store.count(at: at(1)) == 0)
        try Data(made.root.pem).write(to: URL(fileURLWithPath: path))
        #expect(store.count(at: at(1)) == 0)
        #expect(store.count(at: at(2)) == 1)
        try Data(made.root.pem + made.intermediate.pem + made.root.pem).write(to: URL(fileURLWithPath: path))
        #expect(store.count(at: at(3)) == 2)
        try FileManager.default.removeItem(atPath: path)
        #expect(store.count(at: at(4)) == 0)
    }

    @Test("A damaged certificate costs no other; DER files and directories are read")
    func forms() throws {
        let directory = made.maker.path("anchors")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let broken = Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
        for (name, content) in [
            ("a.der", made.root.bytes.der), ("b.pem", broken + made.intermediate.pem), ("c", [1, 2, 3]),
            ("d.pem", made.root.pem),
        ] { try Data(content).write(to: URL(fileURLWithPath: directory + "/" + name)) }
        let places = TrustPlaces(files: ["/nowhere"], directories: ["/nowhere", directory])
        #expect(TrustStore(places: places).count(at: at(1)) == 2)
    }

    @Test("Without anchors the reason is told, with what to do")
    func none() throws {
        var evaluation = made.evaluation()
        evaluation.store = TrustStore(places: TrustPlaces(files: ["/nowhere/a.pem"], directories: []))
        let problem = try #require(evaluation.outcome().problem)
        #expect(problem.reason == .noAnchors)
        #expect(
            problem.detail.contains("/nowhere/a.pem") && problem.detail.contains("Install the package ca-certificates"))
        // An anchor of one's own needs no store.
        evaluation.anchors = [made.root.bytes]
        #expect(evaluation.outcome().problem == nil)
    }

    @Test("The environment chooses the places")
    func environment() {
        #expect(TrustPlaces.chosen { _ in nil } == .distributions)
        #expect(TrustPlaces.chosen { _ in "" } == .distributions)
        let both = ["SSL_CERT_FILE": "/a.pem", "SSL_CERT_DIR": "/b:/c"]
        #expect(
            TrustPlaces.chosen { both[$0] }
                == TrustPlaces(files: ["/a.pem"], directories: ["/b", "/c"], areChosen: true))
    }

    @Test("The shared store may be used by many threads at once")
    func threads() async {
        let evaluation = made.evaluation()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (0..<50).allSatisfy { _ in evaluation.outcome().problem == nil } } }
            for await isTrusted in group { #expect(isTrusted) }
        }
    }
}
