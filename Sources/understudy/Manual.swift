import ArgumentParser
import Foundation
import HTTPBasics

/// Made of the help texts, so that the page and they cannot differ.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the manual page, in the language of man(7).", shouldDisplay: false)

    func run() throws {
        try Output.guarding {
            try Output.line(try ManualPage.text(helpDump: Understudy._dumpHelp(), version: LibraryVersion.text))
            return .passed
        }
    }
}

/// All help texts as one page: options as a list, discussions as they are, examples with their columns.
enum ManualPage {
    /// What the parser says of a command; most of its JSON.
    private struct Dump: Decodable { var command: CommandText }

    private struct CommandText: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var shouldDisplay: Bool?
        var arguments: [ArgumentText]?
        var subcommands: [CommandText]?
    }

    private struct ArgumentText: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String

            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        var kind: String
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        var allValues: [String]?
        var abstract: String?

        /// The parser adds these to every command.
        var isEverywhere: Bool { names?.contains { $0.name == "help" || $0.name == "version" } == true }
    }

    static func text(helpDump: String, version: String) throws -> String {
        let root = try JSONDecoder().decode(Dump.self, from: Data(helpDump.utf8)).command
        let subcommands = (root.subcommands ?? []).filter { ($0.shouldDisplay ?? true) && $0.commandName != "help" }
        var lines = [".TH \(root.commandName.uppercased()) 1 \"\" \"\(root.commandName) \(version)\""]
        lines += [".SH NAME", "\(root.commandName) \\- \(escaped(root.abstract ?? ""))"]
        lines.append(".SH SYNOPSIS")
        for command in subcommands { lines += [synopsis(command, of: root.commandName), ".br"] }
        lines.removeLast()
        lines += [".SH DESCRIPTION"] + paragraphs(root.discussion)
        for command in subcommands {
            lines.append(".SH \(root.commandName.uppercased()) \(command.commandName.uppercased())")
            lines.append(escaped(command.abstract ?? ""))
            for argument in shown(command) { lines += [".TP", term(argument), escaped(meaning(argument))] }
            lines += [".PP"] + paragraphs(command.discussion)
        }
        return lines.joined(separator: "\n")
    }

    private static func shown(_ command: CommandText) -> [ArgumentText] {
        (command.arguments ?? []).filter { $0.shouldDisplay && !$0.isEverywhere }
    }

    private static func synopsis(_ command: CommandText, of root: String) -> String {
        let arguments = shown(command)
        let options = arguments.contains { $0.kind != "positional" } ? " [\\fIoption\\fR ...]" : ""
        let places = arguments.filter { $0.kind == "positional" }.map { argument in
            let name = "\\fI\(escaped(argument.valueName ?? ""))\\fR" + (argument.isRepeating ? " ..." : "")
            return argument.isOptional ? " [\(name)]" : " \(name)"
        }
        return "\\fB\(root) \(command.commandName)\\fR\(options)\(places.joined())\(tail(command.commandName))"
    }

    /// What stands behind `--`, of which the parser knows nothing but the usage that we write ourselves.
    private static func tail(_ name: String) -> String {
        let command = Understudy.configuration.subcommands.first { $0._commandName == name }
        guard let usage = command?.configuration.usage, let start = usage.firstRange(of: " [-- ") else { return "" }
        return escaped(String(usage[start.lowerBound...])).replacing("<", with: "\\fI").replacing(">", with: "\\fR")
    }

    private static func term(_ argument: ArgumentText) -> String {
        let value = argument.kind == "flag" ? nil : argument.valueName.map { "\\fI\(escaped($0))\\fR" }
        guard let names = argument.names else { return value ?? "" }
        let text = names.sorted { $0.text.count < $1.text.count }.map { "\\fB\(escaped($0.text))\\fR" }
            .joined(separator: ", ")
        return value.map { "\(text) \($0)" } ?? text
    }

    private static func meaning(_ argument: ArgumentText) -> String {
        let values = argument.allValues.map { " One of \($0.joined(separator: ", "))." } ?? ""
        let preset = argument.kind == "flag" ? nil : argument.defaultValue.map { " Default: \($0)." }
        return (argument.abstract ?? "") + values + (preset ?? "")
    }

    /// What is indented keeps its lines; all else is filled by the reader of the page.
    private static func paragraphs(_ text: String?) -> [String] {
        (text ?? "").components(separatedBy: "\n\n").flatMap { paragraph -> [String] in
            let lines = paragraph.split(separator: "\n")
            let plain = lines.prefix { !$0.hasPrefix(" ") }.map { escaped(String($0)) }
            let examples = lines.drop { !$0.hasPrefix(" ") }.map { escaped(String($0)) }
            return [".PP"] + plain + (examples.isEmpty ? [] : [".nf"] + examples + [".fi"])
        }
    }

    /// A hyphen would be a typographic one, and a dot or an apostrophe at the start of a line a request.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
    }
}
