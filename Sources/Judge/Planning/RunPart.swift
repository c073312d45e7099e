/// `i/n`: this part of a run that is divided over n machines.
package struct RunPart: Hashable, Sendable {
    /// More parts are a mistake.
    package static let most = 10_000

    package let index: Int
    package let count: Int

    /// Nil unless 1 <= i <= n.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), index >= 1, index <= count,
            count <= RunPart.most
        else { return nil }
        self.index = index
        self.count = count
    }

    /// Neighbours go to different parts, so that slow topics are divided too.
    package func contains(ordinal: Int) -> Bool { ordinal % count == index - 1 }
}
