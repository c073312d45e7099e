import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

extension SeenEvent {
    /// Takes over what a response tells.
    mutating func describe(_ response: URLResponse, for player: ClientLanePlayer) {
        url = response.url.map(player.origins.scenarioText)
        expected = Int(clamping: response.expectedContentLength)
        mimeType = response.mimeType ?? "none"
        encoding = response.textEncodingName ?? "none"
        filename = response.suggestedFilename
        guard let response = response as? HTTPURLResponse else { return }
        status = response.statusCode
        fields = player.fields(of: response)
    }

    static func outcome(of error: (any Error)?) -> Outcome {
        guard let error else { return .success }
        return .failure(code: ErrorName.name(of: error), hasResumeData: SeenEvent.resumeData(in: error) != nil)
    }

    static func resumeData(in error: (any Error)?) -> Data? {
        guard let error else { return nil }
        // Those of a proxy are no URLErrors.
        let userInfo = (error as? URLError)?.userInfo ?? (error as NSError).userInfo
        return userInfo["NSURLSessionDownloadTaskResumeData"] as? Data
            ?? userInfo["NSURLSessionUploadTaskResumeData"] as? Data
    }
}

extension ReturnedResult {
    init(_ response: URLResponse?, for player: ClientLanePlayer) {
        self.init()
        guard let response else { return }
        url = response.url.map(player.origins.scenarioText)
        expected = Int(clamping: response.expectedContentLength)
        mimeType = response.mimeType ?? "none"
        encoding = response.textEncodingName ?? "none"
        filename = response.suggestedFilename
        guard let response = response as? HTTPURLResponse else { return }
        status = response.statusCode
        fields = player.fields(of: response)
    }
}

extension ClientLanePlayer {
    /// All of them, if the scenario compares any. Sorted: the public dictionary has no order.
    fileprivate func fields(of response: HTTPURLResponse) -> Fields {
        checkFields(of: response)
        guard comparesFields else { return Fields() }
        let pairs = response.allHeaderFields.compactMap { key, value -> Fields.Field? in
            guard let name = key as? String, let value = value as? String else { return nil }
            return Fields.Field(name, value)
        }
        return Fields(pairs.sorted { ($0.name, $0.value) < ($1.name, $1.value) })
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
