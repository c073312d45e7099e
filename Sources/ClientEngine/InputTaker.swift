import ClientMachines

/// Who is told what happens on connections and in files: the shard. Called on its event loop.
protocol InputTaker: AnyObject, Sendable {
    func take(_ input: ClientInput)

    /// How much a connection is sure to bring besides what was taken; 0 when that is not known.
    func bytesDue(on id: ConnectionID) -> Int
}
