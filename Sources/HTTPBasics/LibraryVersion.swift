/// What `--version` prints and User-Agent names (BEHAVIOUR 2.F2-user-agent).
package enum LibraryVersion {
    package static let text = "0.1.0"
}
