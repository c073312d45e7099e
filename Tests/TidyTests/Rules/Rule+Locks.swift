/// The locks of Documentation/CONCURRENCY.md and of the code.
extension Rule {
    static let concurrencyPath = "Documentation/CONCURRENCY.md"
    /// Their locks guard counters and output of a command.
    private static let modulesWithoutTable: Set<String> = ["Locks", "Serving", "Harness", "understudy"]

    /// Each stands there as `Type.name`, of a type in the same file.
    static let locks = Rule(name: "locks") { tree in
        let page = tree.file(concurrencyPath)?.text ?? ""
        return tree.files.filter { $0.isSource && !modulesWithoutTable.contains($0.module) }.flatMap { file in
            let code = file.tokens.code
            let types = zip(code, code.dropFirst())
                .filter { ["class", "struct", "enum", "extension"].contains($0.0.text) }
                .map(\.1.text)
            // `let name = Lock(…)`, `let name: Lock<…>`.
            return code.indices.dropFirst(3).filter { index in
                code[index].text == "Lock" && [":", "="].contains(code[index - 1].text)
                    && ["let", "var"].contains(code[index - 3].text)
            }
            .map { code[$0 - 2] }
            .filter { name in !types.contains { page.contains("`\($0).\(name.text)`") } }
            .map { Finding(path: file.path, line: $0.line, message: "\($0.text) is missing in \(concurrencyPath)") }
        }
    }
}
