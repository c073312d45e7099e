import HTTPBasics

/// What a task knows of one request on its way and its answer: forgotten as a whole when the next one begins.
struct Exchange {
    var isReused = false
    /// Our own answer to a challenge, if it went along.
    var authorization: Authorization?
    var upload = Upload()
    var head: ResponseHead?
    var bodyLength: DeclaredLength?
    var decoder: ContentDecoder?
    var bodyEnded = false
    /// What a loader gave as the response.
    @Rare var supplied: Response?
    /// The body belongs to a 416 that says "you have it all": read past, not into the file.
    var discardsBody = false
    var drained = 0
    /// Until when the present stage goes on by itself: what remains of an unwanted body is worth no more time, or a
    /// server that was asked whether it wants a body does not answer.
    var stageDeadline: Instant?
}
