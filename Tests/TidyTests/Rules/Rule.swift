import Testing

/// One habit that is checked by machine.
struct Rule: Sendable, CustomTestStringConvertible {
    /// The word for it in `exemptions.txt`.
    let name: String
    let findings: @Sendable (SourceTree) -> [Finding]

    var testDescription: String { name }

    static let all: [Rule] = [
        .topLevel, .topics, .imports, .dependencies, .byteBufferOnly, .publicInterface, .fileSize, .functionSize,
        .columns, .bannedWords, .openEnds, .safetyComments, .fileNames, .names, .testMirror, .fixedPorts, .testEnds,
        .machinePaths, .citations,
        .formatSections, .rowIdentity, .observations, .version, .locks, .foreignNumbers,
    ]
}
