/// The arrows between modules (Documentation/ARCHITECTURE.md draws them).
extension Rule {
    /// Everything that a module's files may import; a module that is not listed may not exist.
    static let allowedImports: [String: Set<String>] = [
        "Locks": ["Glibc", "Synchronization"],
        "RuntimeLibraries": ["Glibc", "Darwin"],
        "HTTPBasics": ["NIOCore"],
        "Inflate": ["CZlib", "RuntimeLibraries", "NIOCore"],
        "TLSBasics": [],
        "TLSEngine": ["COpenSSL", "TLSBasics", "HTTPBasics", "Locks", "NIOCore", "DequeModule", "Glibc"],
        "TestCertificates": ["TLSBasics", "HTTPBasics"],
        "Digests": ["COpenSSL"],
        "MachineContract": ["HTTPBasics", "DequeModule"],
        "ClientMachines": [
            "MachineContract", "TLSBasics", "HTTPBasics", "Inflate", "Digests", "DequeModule", "HeapModule", "NIOCore",
        ],
        "ServerScript": [
            "MachineContract", "TLSBasics", "HTTPBasics", "Digests", "CZlib", "RuntimeLibraries", "DequeModule",
            "NIOCore",
        ],
        "Cookbook": ["ServerScript", "Digests", "HTTPBasics", "NIOCore"],
        "BodyFiles": ["ClientMachines", "MachineContract", "HTTPBasics", "NIOCore", "Glibc"],
        "CacheFiles": [
            "BodyFiles", "MachineContract", "Digests", "HTTPBasics", "CChecksum", "CPageCache", "CZlib", "Locks",
            "HeapModule", "NIOCore", "Dispatch", "Glibc",
        ],
        "ClientTLS": [
            "ClientMachines", "TLSEngine", "TLSBasics", "HTTPBasics", "NIOCore", "DequeModule", "Glibc", "Locks",
        ],
        "ServerTLS": [
            "ServerScript", "TestCertificates", "TLSEngine", "TLSBasics", "HTTPBasics", "NIOCore", "DequeModule",
        ],
        "ClientEngine": [
            "ClientMachines", "ClientTLS", "TLSBasics", "BodyFiles", "MachineContract", "HTTPBasics", "NIOCore",
            "NIOPosix", "DequeModule",
            "Dispatch", "Glibc", "Locks", "RuntimeLibraries",
        ],
        "ScriptedServer": [
            "ServerScript", "ServerTLS", "TestCertificates", "TLSEngine", "TLSBasics", "MachineContract", "HTTPBasics",
            "NIOCore", "NIOPosix", "DequeModule", "Glibc", "Locks",
        ],
        "Simulator": [
            "ClientMachines", "ClientTLS", "ServerScript", "ServerTLS", "TLSEngine", "TLSBasics", "TestCertificates",
            "BodyFiles", "MachineContract", "HTTPBasics", "NIOCore", "DequeModule", "HeapModule", "Glibc", "Locks",
            "Synchronization",
        ],
        "ScenarioFormat": ["ServerScript", "MachineContract", "TLSBasics", "HTTPBasics", "CYaml", "Foundation"],
        "SessionNetworking": [
            "ClientEngine", "ClientMachines", "ClientTLS", "TLSEngine", "TLSBasics", "BodyFiles", "CacheFiles",
            "MachineContract", "HTTPBasics", "NIOCore", "NIOFoundationCompat", "DequeModule", "Foundation", "Locks",
            "RuntimeLibraries",
            "Synchronization",
        ],
        "ScriptedServerTesting": ["ScriptedServer", "ScenarioFormat", "ServerScript", "Testing"],
        "InProcessServer": [
            "ScriptedServer", "SessionNetworking", "ClientEngine", "ClientMachines", "ClientTLS", "TLSEngine",
            "TestCertificates",
        ],
        "Judge": ["ScenarioFormat", "ServerScript", "HTTPBasics", "Locks", "NIOCore", "Dispatch", "Foundation"],
        // The lane itself names neither library: `understudy-reference` compiles it once more, against the other one.
        "ClientLane": [
            "Judge", "SessionNetworking", "CacheFiles", "ClientEngine", "ClientMachines", "Simulator", "ScriptedServer",
            "MachineContract", "ScenarioFormat", "ServerScript", "HTTPBasics", "Dispatch", "Foundation", "Locks",
            "ClientTLS", "TLSEngine",
            "TLSBasics", "TestCertificates",
        ],
        // Neither the client nor the simulator: a server for others needs neither.
        "Control": [
            "ScriptedServer", "ScenarioFormat", "ServerScript", "HTTPBasics", "NIOCore", "NIOHTTP1", "NIOPosix",
            "Foundation",
        ],
        "Serving": [
            "Judge", "Control", "Cookbook", "ScriptedServer", "ScenarioFormat", "ServerScript", "HTTPBasics",
            "Dispatch", "Foundation", "Locks",
        ],
        "Harness": [
            "Judge", "ClientLane", "Serving", "Simulator", "ScenarioFormat", "ServerScript", "HTTPBasics", "NIOCore",
            "Dispatch", "Foundation", "Glibc", "Locks",
        ],
        "understudy": [
            "Harness", "Judge", "Serving", "Cookbook", "ScenarioFormat", "ServerScript", "TLSEngine",
            "TestCertificates", "HTTPBasics", "ArgumentParser", "Foundation",
        ],
        "understudy-reference": [
            "Judge", "ScriptedServer", "ScenarioFormat", "ServerScript", "TestCertificates", "TLSBasics", "HTTPBasics",
            "FoundationNetworking", "Foundation", "Dispatch", "CNamespaces",
        ],
        "CNamespaces": [],
        "CChecksum": [],
        "CPageCache": [],
        "CZlib": [],
        "COpenSSL": [],
    ]

    /// Modules without clocks, locks, channels and Foundation.
    static let pureModules: Set = [
        "TLSBasics", "TestCertificates", "HTTPBasics", "Inflate", "MachineContract", "ClientMachines", "ServerScript",
        "Cookbook",
    ]

    static let imports = Rule(name: "imports") { tree in
        tree.files.filter { $0.path.hasPrefix("Sources/") }.flatMap { file -> [Finding] in
            let module = String(file.path.split(separator: "/")[1])
            guard let allowed = allowedImports[module] else {
                return [Finding(path: file.path, line: 1, message: "module \(module) is not in the table of imports")]
            }
            return importedModules(file).filter { !allowed.contains($0.text) }.map {
                Finding(
                    path: file.path, line: $0.line,
                    message: "\(module) may not import \($0.text); allowed: \(allowed.sorted().joined(separator: ", "))"
                )
            }
        }
    }

    /// What the table allows and no file wants, as `Module: import`.
    static func unusedImports(_ tree: SourceTree) -> [String] {
        allowedImports.flatMap { module, allowed in
            let files = tree.files.filter { $0.path.hasPrefix("Sources/\(module)/") }
            return allowed.subtracting(files.flatMap { importedModules($0).map(\.text) }).map { "\(module): \($0)" }
        }
        .sorted()
    }

    static func importedModules(_ file: SourceFile) -> [SwiftTokens.Piece] {
        let code = file.tokens.code
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return file.tokens.occurrences(of: ["import"]).compactMap { start in
            guard start + 2 < code.count else { return start + 1 < code.count ? code[start + 1] : nil }
            return kinds.contains(code[start + 1].text) ? code[start + 2] : code[start + 1]
        }
    }

    /// Pure modules take the byte buffer from NIOCore and nothing else.
    static let byteBufferOnly = Rule(name: "byte-buffer-only") { tree in
        let banned: Set = [
            "EventLoop", "EventLoopFuture", "EventLoopPromise", "EventLoopGroup", "Channel", "ChannelHandler",
            "ChannelHandlerContext", "ChannelInboundHandler", "ChannelOutboundHandler", "ChannelPipeline",
            "ChannelOption",
            "ChannelOptions", "ChannelEvent", "ChannelError", "SocketAddress", "TimeAmount", "CircularBuffer",
            "MarkedCircularBuffer", "FileRegion", "IOData", "IOError", "AddressedEnvelope", "Scheduled",
            "ByteToMessageDecoder", "MessageToByteEncoder",
        ]
        return tree.files.filter { pureModules.contains($0.module) && $0.isSource }.flatMap { file in
            file.tokens.code.filter { banned.contains($0.text) || $0.text.hasPrefix("NIO") && $0.text != "NIOCore" }.map
            {
                Finding(
                    path: file.path, line: $0.line,
                    message:
                        "\($0.text) in a pure module: of NIOCore only ByteBuffer; effects are outputs of the machine")
            }
        }
    }

    /// Users of the library never see the event loop underneath.
    static let publicInterface = Rule(name: "public-interface") { tree in
        let inner: Set = ["ByteBuffer", "EventLoop", "EventLoopFuture", "EventLoopGroup", "Channel"]
        return tree.files.filter { $0.module == "SessionNetworking" && $0.isSource }.flatMap { file -> [Finding] in
            let publicLines = Set(file.tokens.code.filter { $0.text == "public" || $0.text == "open" }.map(\.line))
            return file.tokens.code.filter { inner.contains($0.text) && publicLines.contains($0.line) }.map {
                Finding(
                    path: file.path, line: $0.line,
                    message: "\($0.text) in public API: use Foundation's types (Data, URL) there")
            }
        }
    }
}
