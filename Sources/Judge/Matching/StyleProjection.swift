import ScenarioFormat

/// Which events exist in which style: the table of SCENARIO-FORMAT 'Styles'.
///
/// | word | delegate | completion, async | async with a delegate of its own |
/// | --- | --- | --- | --- |
/// | created, waiting, informational, wrote | seen | do not exist | seen |
/// | redirect, challenge, needStream, delayedRequest, sent, metrics | seen | by a question delegate, if any | seen |
/// | data | seen | returned together with `complete` | both |
/// | response, file | seen | returned together with `complete` | returned |
/// | resumed | seen | does not exist | does not exist |
/// | willCache | seen | does not exist | does not exist |
/// | becameDownload | seen | does not exist: only a delegate is asked about a response | the same |
/// | complete | seen | seen | seen |
///
/// Whether a task with a handler tells what it has sent is open (BEHAVIOUR 1.I3): outside the delegate style a list
/// that has `sent` holds without it as well.
///
/// With a completion handler, response and data methods are bypassed while authentication still asks the delegate; the
/// delegate of an async call hears its body nevertheless (BEHAVIOUR 1.B1-12). `bytes(for:)` returns its response and
/// its bytes one by one, so for it both are events where no delegate is told the same.
package struct StyleProjection: Hashable, Sendable {
    package enum Visibility: Hashable, Sendable {
        case seen, returned, both, absent

        var isSeen: Bool { self == .seen || self == .both }
        var isReturned: Bool { self == .returned || self == .both }
    }

    package var style: Style
    package var kind: TaskStep.Kind
    package var hasQuestionDelegate: Bool
    /// See `EventJournal.TaskRecord`.
    package var isOverheard: Bool
    /// Its delegates hear results only, and are asked nothing.
    package var isBare: Bool

    package init(
        style: Style, kind: TaskStep.Kind, hasQuestionDelegate: Bool, isOverheard: Bool = false, isBare: Bool = false
    ) {
        self.isBare = isBare
        self.style = style
        self.kind = kind
        self.hasQuestionDelegate = hasQuestionDelegate
        self.isOverheard = isOverheard
    }

    package func visibility(_ word: EventWord) -> Visibility {
        let visibility = fullVisibility(word)
        // A reader of bytes is given its response by no delegate.
        let isReturned = word == .response && (style != .delegate || kind == .bytes)
        guard isBare, visibility.isSeen, !isReturned, !DelegateForm.bare.has(word) else { return visibility }
        return visibility == .both ? .returned : .absent
    }

    private func fullVisibility(_ word: EventWord) -> Visibility {
        if style == .delegate && kind != .bytes { return .seen }
        switch word {
        case .complete: return .seen
        case .redirect, .challenge, .needStream, .delayedRequest, .sent, .metrics:
            return hasQuestionDelegate ? .seen : .absent
        case .data where isOverheard: return .both
        case .response, .data: return kind == .bytes && !isOverheard ? .seen : .returned
        case .file: return .returned
        case .created, .waiting, .informational, .wrote: return isOverheard ? .seen : .absent
        case .becameDownload, .resumed, .willCache: return .absent
        }
    }

    /// The list as far as it speaks of events that this style calls out.
    package func seenPart(of patterns: [EventPattern]) -> [EventPattern] {
        Projection(keep: { visibility($0).isSeen }, mayMiss: { $0 == .sent && style != .delegate }).list(patterns)
    }

    /// The list as far as it speaks of what this style returns at the end; nil where it returns nothing extra.
    package func returnedPart(of patterns: [EventPattern]) -> [EventPattern]? {
        guard visibility(.response).isReturned else { return nil }
        return Projection(keep: { visibility($0).isReturned || $0 == .complete }).list(patterns)
    }

    /// What a delegate would have been told of the same result.
    package func events(
        of returned: ReturnedResult, completion: SeenEvent, listing words: Set<EventWord>
    ) -> [SeenEvent] {
        var events: [SeenEvent] = []
        // A download's delegate is not told of the response (BEHAVIOUR 1.B6), but its handler is given it.
        // What comes over no HTTP has no status.
        if returned.status != nil || returned.url != nil, kind != .download || words.contains(.response) {
            var event = SeenEvent(.response, task: completion.task, at: completion.time)
            event.status = returned.status
            event.url = returned.url
            event.expected = returned.expected
            event.mimeType = returned.mimeType
            event.encoding = returned.encoding
            event.filename = returned.filename
            event.fields = returned.fields
            events.append(event)
        }
        if let body = returned.body, body.count > 0 {
            var event = SeenEvent(.data, task: completion.task, at: completion.time)
            event.bytes = body.count
            event.total = body.count
            event.content = body
            events.append(event)
        }
        if let file = returned.file {
            var event = SeenEvent(.file, task: completion.task, at: completion.time)
            event.content = file
            events.append(event)
        }
        return events + [completion]
    }
}

/// A list of patterns without the words that do not exist.
private struct Projection {
    let keep: (EventWord) -> Bool
    var mayMiss: (EventWord) -> Bool = { _ in false }

    func list(_ patterns: [EventPattern]) -> [EventPattern] { patterns.compactMap(one) }

    private func one(_ pattern: EventPattern) -> EventPattern? {
        switch pattern {
        case .event(let match):
            guard keep(match.word) else { return nil }
            return mayMiss(match.word) ? .maybe([match]) : pattern
        case .maybe(let matches):
            let kept = matches.filter { keep($0.word) }
            return kept.isEmpty ? nil : .maybe(kept)
        case .unordered(let inner):
            let kept = list(inner)
            return kept.isEmpty ? nil : .unordered(kept)
        case .never(let words):
            let kept = words.filter(keep)
            return kept.isEmpty ? nil : .never(kept)
        case .anything: return pattern
        case .repeat(let range, let inner): return one(inner).map { .repeat(range, $0) }
        // An alternative that loses all its words still is one: nothing.
        case .anyOf(let lists): return .anyOf(lists.map(list))
        }
    }
}
