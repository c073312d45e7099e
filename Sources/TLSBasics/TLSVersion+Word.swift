extension TLSVersion {
    /// As scenarios write it: `1.3`.
    package var word: String { String(description.dropFirst("TLSv".count)) }

    package init?(word: String) {
        guard let version = TLSVersion.allCases.first(where: { $0.word == word }) else { return nil }
        self = version
    }
}
