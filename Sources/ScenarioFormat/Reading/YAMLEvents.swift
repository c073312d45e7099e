import CYaml
import HTTPBasics

/// What stands in a YAML text, one after another, before anything is built of it: libyaml's events.
///
/// An alias is only a word here. In a tree it is a node that is shared, and n of them can mean 2^n nodes.
final class YAMLEvents {
    struct Event {
        enum Kind: Equatable {
            case document, sequence, mapping, alias
            case scalar(String, isPlain: Bool)
            /// Of a sequence or mapping.
            case end
        }

        var kind: Kind
        var line: Int
        /// Counted in Unicode scalars.
        var column: Int
        var hasAnchor = false
        /// Of a document.
        var hasDirectives = false
    }

    /// Why this is not YAML.
    struct SyntaxError: Error {
        var problem: String
        var line: Int
        var column: Int
        /// What the problem lies in, and where that begins.
        var context: String?
        var contextLine: Int
    }

    // The parser holds pointers to itself and to the text: both stay where they are.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(of text: String) {
        bytes = .allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// Nil at the end of the text. What a document holds is as many events as it takes; its own end is none.
    func next() throws(SyntaxError) -> Event? {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
            defer { yaml_event_delete(&event) }
            switch event.type {
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
            case YAML_DOCUMENT_START_EVENT:
                let start = event.data.document_start
                var document = YAMLEvents.event(.document, event)
                document.hasDirectives =
                    start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
                return document
            case YAML_ALIAS_EVENT: return YAMLEvents.event(.alias, event)
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                let text = String(
                    decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
                let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
                return YAMLEvents.event(.scalar(text, isPlain: isPlain), event, hasAnchor: scalar.anchor != nil)
            case YAML_SEQUENCE_START_EVENT:
                return YAMLEvents.event(.sequence, event, hasAnchor: event.data.sequence_start.anchor != nil)
            case YAML_MAPPING_START_EVENT:
                return YAMLEvents.event(.mapping, event, hasAnchor: event.data.mapping_start.anchor != nil)
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return YAMLEvents.event(.end, event)
            default: return nil
            }
        }
    }

    private static func event(_ kind: Event.Kind, _ event: yaml_event_t, hasAnchor: Bool = false) -> Event {
        Event(kind: kind, line: event.start_mark.line + 1, column: event.start_mark.column + 1, hasAnchor: hasAnchor)
    }

    private var failure: SyntaxError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        let context = parser.pointee.context.map { String(cString: $0) }
        var place = (line: parser.pointee.problem_mark.line + 1, column: parser.pointee.problem_mark.column + 1)
        if parser.pointee.error == YAML_READER_ERROR { place = self.place(ofByte: parser.pointee.problem_offset) }
        return SyntaxError(
            problem: problem, line: place.line, column: place.column, context: context,
            contextLine: parser.pointee.context_mark.line + 1)
    }

    /// What cannot be a character has an offset in place of a line.
    private func place(ofByte offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.lastIndex(of: ASCII.lineFeed).map { before[($0 + 1)...] } ?? before
        let column = String(decoding: line, as: UTF8.self).unicodeScalars.count + 1
        return (before.count { $0 == ASCII.lineFeed } + 1, column)
    }
}
