/// How often a server plays its script.
package enum ServerRounds: Sendable {
    /// Until it is stopped, however long that takes: the player knows when it is over.
    case endless
    /// Until the script is consumed, or clients have given it up.
    case one
    /// A script that is consumed or given up begins anew with the next connection or request, under the next seed.
    case many
}
