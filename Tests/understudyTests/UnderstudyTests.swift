import Foundation
import HTTPBasics
import Testing

/// The command's face: version, help, completions.
@Suite struct UnderstudyTests {
    private static let subcommands = ["run", "serve", "lint", "show", "list", "schema", "mutate", "matrix"]

    @Test func `the version is the library's`() throws {
        #expect(try Command.run("--version", in: try Folder()).output == "understudy \(LibraryVersion.text)\n")
    }

    @Test func `the help lists what there is, and nothing of what is for the tool itself`() throws {
        let help = try Command.run("--help", in: try Folder()).output
        for name in Self.subcommands { #expect(help.contains("\n  \(name) "), "\(name)") }
        #expect(!help.contains("\n  worker ") && !help.contains("\n  manual "))
        #expect(help.contains("NO_COLOR"))
    }

    @Test(arguments: subcommands)
    func `each help has an example, every exit status and a word about each option`(name: String) throws {
        let result = try Command.run(name, "--help", in: try Folder())
        #expect(result.status == 0)
        #expect(result.output.contains("  understudy \(name)"))
        #expect(result.output.contains("Exit status: 0 "))
        // Its word begins in the 27th column, in the same line or in the next one.
        let lines = result.output.components(separatedBy: "\n"), margin = String(repeating: " ", count: 26)
        let options = lines.indices.filter { lines[$0].hasPrefix("  -") }
        #expect(!options.isEmpty)
        for option in options {
            #expect(lines[option].count > 26 || lines[option + 1].hasPrefix(margin), "\(lines[option])")
        }
    }

    // MARK: - Completions

    /// What bash offers for the last of the words, in a folder with scenarios.
    private func offers(_ words: String...) throws -> Set<String> {
        let folder = try Folder(["first/hello": Sample.hello])
        _ = FileManager.default.createFile(
            atPath: folder.url.appendingPathComponent("scenarios/note.txt").path, contents: nil)
        let line = (["understudy"] + words).joined(separator: " ")
        let array = (["understudy"] + words).map { "'\($0)'" }
        // As the shell calls it: with the command, the word and the one before it.
        let call = [array[0]] + array.suffix(2).reversed()
        let script = """
            source /dev/stdin <<<"$("$0" --generate-completion-script bash)"
            COMP_WORDS=(\(array.joined(separator: " "))); COMP_CWORD=\(words.count)
            COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
            _understudy \(call.joined(separator: " ")); printf '%s\\n' "${COMPREPLY[@]}"
            """
        let quoted = script.replacing("'", with: "'\\''")
        let result = try Command(line: "exec bash --norc -c '\(quoted)' \"$0\"", in: folder).end()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    @Test(arguments: ["show", "serve", "lint", "run", "list", "mutate"])
    func `where a scenario is wanted the files are offered that may be one`(subcommand: String) throws {
        #expect(try offers(subcommand, "scenarios/").contains("scenarios/first"))
        #expect(!(try offers(subcommand, "scenarios/").contains("scenarios/note.txt")))
        #expect(try offers(subcommand, "scenarios/first/h") == ["scenarios/first/hello.yaml"])
    }

    @Test func `words are offered where only they will do, and directories where those are meant`() throws {
        #expect(try offers("run", "--world", "s") == ["simulated", "sockets"])
        #expect(try offers("run", "--style", "") == ["delegate", "completion", "async"])
        #expect(try offers("run", "--explore", "every-c") == ["every-cut", "every-cancel"])
        #expect(try offers("run", "--client", "f") == ["foundation"])
        #expect(try offers("run", "--report", "sc") == ["scenarios"])
        #expect(try offers("se") == ["serve"])
    }

    @Test(arguments: ["zsh", "fish"]) func `other shells have theirs`(shell: String) throws {
        let script = try Command.run("--generate-completion-script", shell, in: try Folder()).output
        #expect(script.contains("yaml") && script.contains("every-split"))
    }
}
