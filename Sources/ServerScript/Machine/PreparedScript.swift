import HTTPBasics

/// A script made ready to be played: shared by all scopes and rounds that play it, and never changed.
final class PreparedScript {
    let script: Script
    let plan: ScriptPlan
    let proxied: ProxiedHosts
    /// How long nothing may happen in a round's own steps while some are owed; nil for as long as it takes.
    let roundTimeout: Duration?
    /// Of the load that has put it in place; 0 for none.
    let ticket: Int

    /// `origins` maps each host to its URL, for `$origin` in replies.
    init(_ script: Script, origins: [String: String], roundTimeout: Duration?, ticket: Int = 0) {
        self.ticket = ticket
        let proxied = ProxiedHosts(hosts: script.hosts, origins: origins)
        self.proxied = proxied
        var script = Substitution(hosts: script.hosts, origins: origins).apply(to: script)
        script.renameTargets(by: proxied)
        self.script = script
        plan = ScriptPlan(script)
        self.roundTimeout = roundTimeout
    }
}
