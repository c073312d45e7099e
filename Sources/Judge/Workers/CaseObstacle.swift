/// Why a case cannot be played on this machine, which says nothing about the client: it is counted as not played.
package struct CaseObstacle: Error {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}
