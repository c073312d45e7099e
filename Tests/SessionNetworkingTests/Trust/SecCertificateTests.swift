import Foundation
import SessionNetworking
import Testing

@Suite("Trust: certificates")
struct SecCertificateTests {
    let fixture: TrustFixture
    let server, authority: SecCertificate

    init() throws {
        fixture = try TrustFixture.shared.get()
        server = try SecCertificate.certificates(pem: fixture.data("server.pem"))[0]
        authority = try SecCertificate.certificates(pem: fixture.data("authority.pem"))[0]
    }

    @Test("DER is taken and given back; PEM is not")
    func data() throws {
        let der = try fixture.data("server.cer")
        let read = try #require(SecCertificateCreateWithData(nil, der as CFData))
        #expect(SecCertificateCopyData(read) as Data == der)
        #expect(read == server && read.hash == server.hash && read != authority)
        #expect(SecCertificateCreateWithData(nil, try fixture.data("server.pem") as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data() as CFData) == nil)
    }

    @Test("What a certificate says")
    func facts() {
        var name: CFString?
        #expect(SecCertificateCopyCommonName(server, &name) == errSecSuccess)
        #expect(name as String? == "Test Server")
        #expect(SecCertificateCopySubjectSummary(authority) as String? == "Test Authority")
        var emails: CFArray?
        SecCertificateCopyEmailAddresses(server, &emails)
        #expect(emails as? [String] == ["me@example.com"])
        #expect(
            SecCertificateCopyNormalizedIssuerSequence(server) == SecCertificateCopyNormalizedSubjectSequence(authority)
        )
        #expect(SecCertificateCopySerialNumberData(server, nil).map { ($0 as Data).count } ?? 0 > 0)
        let span = [SecCertificateCopyNotValidBeforeDate(server), SecCertificateCopyNotValidAfterDate(server)]
            .compactMap { $0 as Date? }
        #expect(span.count == 2 && span[1].timeIntervalSince(span[0]) == 300 * 86_400)
        #expect(server.description == "<SecCertificate: Test Server>")
    }

    @Test("A text without certificates is an error that says so")
    func noCertificates() throws {
        let error = #expect(throws: SecReadingError.self) { try SecCertificate.certificates(pem: Data("hello".utf8)) }
        #expect(error?.status == errSecItemNotFound)
        #expect(error?.localizedDescription.contains("There is no certificate in the text") == true)
        #expect((error as NSError?)?.domain == NSOSStatusErrorDomain)
    }

    @Test("Messages of codes")
    func messages() {
        #expect(SecCopyErrorMessageString(errSecAuthFailed, nil) as String? != nil)
        #expect(SecCopyErrorMessageString(1, nil) == nil)
    }
}
