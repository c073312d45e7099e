import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

extension SeenEvent {
    /// Takes over what a response tells. Fields are sorted: the public dictionary has no order.
    mutating func describe(_ response: URLResponse?, origins: OriginTable) {
        guard let response else { return }
        url = response.url.map(origins.scenarioText)
        expected = Int(clamping: response.expectedContentLength)
        guard let response = response as? HTTPURLResponse else { return }
        status = response.statusCode
        fields = SeenEvent.fields(of: response)
    }

    static func fields(of response: HTTPURLResponse) -> Fields {
        let pairs = response.allHeaderFields.compactMap { key, value -> Fields.Field? in
            guard let name = key as? String, let value = value as? String else { return nil }
            return Fields.Field(name, value)
        }
        return Fields(pairs.sorted { ($0.name, $0.value) < ($1.name, $1.value) })
    }

    static func outcome(of error: (any Error)?) -> Outcome {
        guard let error else { return .success }
        return .failure(code: ErrorName.name(of: error), hasResumeData: SeenEvent.resumeData(in: error) != nil)
    }

    static func resumeData(in error: (any Error)?) -> Data? { (error as? URLError)?.downloadTaskResumeData }
}

extension ReturnedResult {
    init(_ response: URLResponse?, origins: OriginTable) {
        self.init()
        guard let response else { return }
        url = response.url.map(origins.scenarioText)
        expected = Int(clamping: response.expectedContentLength)
        guard let response = response as? HTTPURLResponse else { return }
        status = response.statusCode
        fields = SeenEvent.fields(of: response)
    }
}

extension SeenContent {
    /// A file's bytes, read piece by piece; nil when it is not there.
    init?(file: URL) {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        self.init()
        while let piece = try? handle.read(upToCount: 1 << 20), !piece.isEmpty { append(piece) }
    }
}
