import HTTPBasics

/// What a task says of itself while its caller is called: all of it readable by any holder of the task.
package struct TaskLook: Hashable, Sendable {
    package enum State: String, Hashable, Sendable { case running, suspended, canceling, completed }

    /// A `Progress`.
    package struct Share: Hashable, Sendable {
        package var completed: Int
        package var total: Int
        package var isFinished: Bool

        package init(completed: Int, total: Int, isFinished: Bool) {
            self.completed = completed
            self.total = total
            self.isFinished = isFinished
        }
    }

    package var state = State.running
    package var identifier = 1
    /// In words that two equal errors share.
    package var error: String?
    /// Whether `originalRequest` is what the task was made with, by `==` and by its hash.
    package var isOriginal = true
    /// Whether `currentRequest` is what the task has come to; nil where that is unknown.
    package var isCurrent: Bool?
    package var hasResponse = false
    /// Whether that is the one that the caller was told of; nil before.
    package var isToldResponse: Bool?
    /// The length that it announces, and whether its URL is that of `currentRequest`.
    package var announced: Int?
    package var isAnswered: Bool?
    package var received = 0
    package var sent = 0
    package var expectedToReceive = -1
    package var expectedToSend = 0
    /// Whether it still has the description and the priority that it was given.
    package var keepsNotes = true
    /// Whether it holds the delegate of its own that it was given; nil where it was given none.
    package var holdsDelegate: Bool?
    package var progress: Share?

    package init() {}
}
