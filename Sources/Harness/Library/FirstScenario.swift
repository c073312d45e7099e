import Foundation

/// What `understudy init` writes: a scenario with comments, for people who have none of their own yet.
package enum FirstScenario {
    /// Below the folder that is asked for; its id is `first/busy`.
    package static let path = "scenarios/first/busy.yaml"

    package static let text = """
        # A scenario: what a server does, what a caller asks, and what must be seen. What to do with it:
        #
        #   understudy serve scenarios/first/busy.yaml --port 8080    the server, for a client in any language
        #   understudy run first/busy                                 all of it, with URLSession as the client
        #   understudy lint                                           find mistakes in the files below scenarios/
        scenario: first/busy
        about: A server that is busy at first is asked again, and a download that breaks off is noticed.

        # All of these requests must come, in this order. Any other one gets 404, with what came closest.
        server:
          # Busy: ask again in a second. With `times: 2` it would be busy twice.
          - {request: GET /order, reply: {status: 503, headers: {Retry-After: "1"}, body: busy}}
          - {request: GET /order, reply: {body: ready}}
          # The connection ends behind 400,000 of a million bytes. `do: reset` and `do: stall` are other ways to fail.
          - request: GET /film
            reply: {body: {pattern: counter, size: 1MB}, fault: {at: body+400000, do: fin}}

        # What a caller asks, for `understudy run`.
        client:
          - {task: early, request: GET /order}
          - {await: early}
          - {task: later, request: GET /order}
          - {await: later}
          - {task: film, request: GET /film}
          - {await: film}

        # What the caller must see. The events of a task come in this order, and no others.
        expect:
          early: {events: [response: {status: 503}, data, complete: ok]}
          later: {complete: ok, body: ready}
          film: {complete: networkConnectionLost}

        """

    package enum NotWritten: Error, Equatable, CustomStringConvertible {
        /// What is there stays as it is.
        case exists(path: String)
        case cannotBeWritten(path: String, reason: String)

        package var description: String {
            switch self {
            case .exists(let path): "\(path) is there already, and stays as it is"
            case .cannotBeWritten(let path, let reason): "\(path) cannot be written: \(reason)"
            }
        }
    }

    /// Writes it below a folder, which is made if it is not there, and gives its path.
    package static func write(into folder: String) throws(NotWritten) -> String {
        let path = folder == "." ? path : "\(folder)/\(path)"
        do {
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw .exists(path: path)
        } catch {
            throw .cannotBeWritten(path: path, reason: fileInTheWay(of: path) ?? error.localizedDescription)
        }
        return path
    }

    /// Foundation has only a number for it.
    private static func fileInTheWay(of path: String) -> String? {
        var above = URL(fileURLWithPath: path)
        while above.path != "/" {
            above.deleteLastPathComponent()
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: above.path, isDirectory: &isFolder) else { continue }
            return isFolder.boolValue ? nil : "\(above.path) is a file"
        }
        return nil
    }
}
