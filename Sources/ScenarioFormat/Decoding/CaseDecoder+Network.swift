/// The networks of a case.
extension CaseDecoder {
    func denied(_ map: MappingReader) -> [DeniedNetwork] {
        let all = DeniedNetwork.allCases.map(\.rawValue).joined(separator: ", ")
        return (map.list("denies") ?? []).compactMap { node in
            node.plain.flatMap { DeniedNetwork(rawValue: $0) } ?? session.wrong(node, expected: "one of \(all)")
        }
    }
}
