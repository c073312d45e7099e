import ServerScript

/// Is told what happens on accepted connections: the server's world. Called on its event loop.
protocol PeerTaker: AnyObject, Sendable {
    func take(_ input: ScriptInput)
}
