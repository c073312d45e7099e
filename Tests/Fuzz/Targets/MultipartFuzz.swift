import HTTPBasics
import NIOCore
import ServerScript
import TestSupport

/// The scripted server's reader of forms. The first line is the Content-Type, the rest the body.
enum MultipartFuzz {
    private struct Reading: Equatable {
        var events: [MultipartReader.Event] = []
        var problem: String?
    }

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        guard let boundary = try? MultipartBoundary.parse(contentType: input.firstLine) else { return }
        try demand(1...70 ~= boundary.count, "a boundary of \(boundary.count) bytes")
        var first: Reading?
        for arrival in Arrival.all(of: input.rest) {
            let reading = read(arrival.pieces, boundary)
            try demand(reading, equals: first ?? reading, "a form reads differently \(arrival)")
            first = reading
        }
        guard let first else { return }
        try checkOrder(first.events)
        guard first.problem == nil else { return }
        let again = read([form(of: first.events, boundary)], boundary)
        try demand(again, equals: first, "a form written again reads differently")
    }

    private static func read(_ pieces: [ByteBuffer], _ boundary: [UInt8]) -> Reading {
        var reader = MultipartReader(boundary: boundary)
        var reading = Reading()
        do throws(Malformed) {
            for piece in pieces {
                reader.receive(piece)
                while let event = try reader.next() { reading.events.append(event) }
            }
            try reader.finish()
        } catch {
            reading.problem = error.text
        }
        reading.events = SplitFeeder.merged(reading.events) { left, right in
            guard case .data(var data) = left, case .data(let more) = right else { return nil }
            data.writeImmutableBuffer(more)
            return .data(data)
        }
        // How much of a part was told before its end turned out to be wrong depends on the pieces.
        if reading.problem != nil, case .data = reading.events.last { reading.events.removeLast() }
        return reading
    }

    /// Each part begins, has content, and ends before the next.
    private static func checkOrder(_ events: [MultipartReader.Event]) throws {
        var isOpen = false, count = 0
        for event in events {
            switch event {
            case .part:
                try demand(!isOpen, "a part within a part")
                (isOpen, count) = (true, count + 1)
            case .data(let data): try demand(isOpen && data.readableBytes > 0, "content of no part")
            case .partEnd:
                try demand(isOpen, "the end of no part")
                isOpen = false
            }
        }
        try demand(count <= MultipartReader.partLimit, "\(count) parts")
    }

    private static func form(of events: [MultipartReader.Event], _ boundary: [UInt8]) -> ByteBuffer {
        let delimiter = "--" + String(decoding: boundary, as: UTF8.self)
        var form = ByteBuffer()
        for event in events {
            switch event {
            case .part(let head):
                var line = "Content-Disposition: form-data; name=\(quoted(head.name))"
                if let filename = head.filename { line += "; filename=\(quoted(filename))" }
                form.writeString("\(delimiter)\r\n\(line)\r\n")
                if let type = head.type { form.writeString("Content-Type: \(type)\r\n") }
                form.writeString("\r\n")
            case .data(let data): form.writeImmutableBuffer(data)
            case .partEnd: form.writeString("\r\n")
            }
        }
        form.writeString("\(delimiter)--")
        return form
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\"\(escaped.joined())\""
    }
}
