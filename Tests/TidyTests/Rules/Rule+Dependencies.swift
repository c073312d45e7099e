/// The dependencies that Package.swift lists for a target, and what its files import.
extension Rule {
    /// What is linked into a second target.
    private static let linked = [
        "understudy-reference": ["Sources/ClientLane/Lane/", "Sources/ClientLane/Drivers/SocketDriver.swift"]
    ]

    /// SwiftPM builds a target that imports a module of another one without listing it, as long as something else asks
    /// for that module; and it does not mind one that is listed in vain.
    static let dependencies = Rule(name: "dependencies") { tree in
        guard let page = tree.file(Manifest.path) else { return [] }
        let manifest = Manifest(page.text)
        let known = manifest.knownModules
        let executables = Set(manifest.targets.filter(\.isExecutable).map(\.name))
        return manifest.targets.flatMap { target -> [Finding] in
            let folders = [target.folder] + linked[target.name, default: []]
            let files = tree.swift.filter { file in folders.contains { file.path.hasPrefix($0) } }
            guard !files.isEmpty else { return [] }
            let listed = target.dependencies.reduce(into: Set()) { $0.formUnion(manifest.modules(of: $1)) }
            let imports = files.map { ($0, importedModules($0)) }
            let unlisted = imports.flatMap { file, modules in
                modules.filter {
                    known.contains($0.text) && !listed.contains($0.text) && $0.text != target.name
                }.map {
                    Finding(
                        path: file.path, line: $0.line,
                        message: "\(target.name) imports \($0.text), which \(Manifest.path) does not list for it")
                }
            }
            let imported = Set(imports.flatMap { $1.map(\.text) })
            // An executable is listed so that it is built before it is run.
            let unused = target.dependencies.filter {
                !executables.contains($0) && manifest.modules(of: $0).isDisjoint(with: imported)
            }.map {
                Finding(
                    path: Manifest.path, line: target.line, message: "no file of \(target.name) imports \($0)")
            }
            return unlisted + unused
        }
    }
}
