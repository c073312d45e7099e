import Foundation
import Testing

/// The values of cookies are in nothing that a run prints or leaves behind, whether it passes or fails.
@Suite struct RunSecretsTests {
    private static let secret = "c00kie-s3cret"

    /// The first case passes; in the others something differs that is about a value.
    private static let scenario = """
        scenario: cookies/secret
        about: Values of cookies are shown nowhere.
        rows: [2.C5]
        cases:
          - {name: passes, sent: c00kie-s3cret, kept: c00kie-s3cret-2}
          - {name: sends another one, sent: c00kie-s3cret-other, kept: c00kie-s3cret-2}
          - {name: keeps another one, sent: c00kie-s3cret, kept: c00kie-s3cret-other}
        session: {cookies: {jar: [{name: a, value: c00kie-s3cret}]}}
        server:
          - conn: A
            request: GET /
            where: {headers: {Cookie: a=$sent}}
            reply: {headers: {Set-Cookie: a=c00kie-s3cret-2}}
        client:
          - {task: t, request: GET /}
          - {await: t}
        expect:
          t: ok
          cookies: [{name: a, value: $kept}]

        """

    @Test func `no cookie is shown`() throws {
        let folder = try Folder(["cookies/secret": Self.scenario])
        for words in [["simulated", "--journal", "journal"], ["sockets"]] {
            let run = try Command(["run", "--report", "report-\(words[0])", "--world"] + words, in: folder).end()
            #expect(run.status == 1)
            #expect(run.output.contains("FAIL") && !(run.output + run.errors).contains(Self.secret))
        }
        let shown = try Command.run("show", "cookies/secret", in: folder)
        #expect(shown.output.contains("jar") && !shown.output.contains(Self.secret))
        var files = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            let path = folder.url.appendingPathComponent(file).path
            guard !file.hasPrefix("scenarios"), let data = FileManager.default.contents(atPath: path) else { continue }
            files += 1
            #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(file) shows a cookie")
        }
        #expect(files >= 4)
    }
}
