/// What is wrong with a URL, for whoever wrote it.
struct CookbookMistake: Error, Hashable {
    /// The part of the URL that is wrong, and what is allowed there.
    let text: String

    init(_ text: String) { self.text = text }
}
