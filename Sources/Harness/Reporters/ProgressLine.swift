/// One line of a terminal that is drawn over and over while something takes long: a bar, how much is done, its name.
package final class ProgressLine {
    /// Eyes need no more often.
    private static let pause = Duration.milliseconds(50)
    private static let barWidth = 20
    /// A name of which less is left says nothing.
    private static let leastName = 8

    private let colors: Colors
    private let columns: () -> Int
    private let write: (String) -> Void
    private var drawn: ContinuousClock.Instant?
    private var isShown = false

    /// `columns` is how wide the terminal is at that moment: a line that is wider wraps, and would stay when it is
    /// drawn again.
    package init(colors: Colors, columns: @escaping () -> Int, write: @escaping (String) -> Void) {
        self.colors = colors
        self.columns = columns
        self.write = write
    }

    package func show(_ done: Int, of planned: Int, failures: Int = 0, name: String) {
        let now = ContinuousClock.now
        if let drawn, now - drawn < ProgressLine.pause, done < planned { return }
        drawn = now
        isShown = true
        write("\r\u{1B}[2K" + text(done, of: planned, failures: failures, name: name))
    }

    /// What is printed next has the line for itself.
    package func clear() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[2K")
    }

    private func text(_ done: Int, of planned: Int, failures: Int, name: String) -> String {
        let counts = "\(done)/\(planned)", failed = failures > 0 ? "  \(failures) failed" : ""
        // A character in the last column makes some terminals wrap.
        var room = columns() - 1 - counts.count
        guard room >= failed.count else { return String(counts.prefix(max(0, columns() - 1))) }
        room -= failed.count
        var text = counts + colors.paint(failed, .red)
        if room > ProgressLine.barWidth {
            text = bar(done, of: planned, isGood: failures == 0) + " " + text
            room -= ProgressLine.barWidth + 1
        }
        guard room >= ProgressLine.leastName + 2 else { return text }
        return text + "  " + (name.count > room - 2 ? "…" + name.suffix(room - 3) : name)
    }

    private func bar(_ done: Int, of planned: Int, isGood: Bool) -> String {
        let width = ProgressLine.barWidth
        let full = planned > 0 ? min(width, done * width / planned) : width
        return colors.paint(String(repeating: "━", count: full), isGood ? .green : .red)
            + String(repeating: "─", count: width - full)
    }
}
