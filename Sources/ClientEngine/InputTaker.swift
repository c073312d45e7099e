import ClientMachines

/// Who is told what happens on connections and in files: the shard. Called on its event loop.
protocol InputTaker: AnyObject, Sendable {
    func take(_ input: ClientInput)
}
