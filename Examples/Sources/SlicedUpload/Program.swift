import Foundation
import SessionNetworking

/// `sliced-upload FILE URL STATE`: sends a file in slices, and goes on where it was when it was killed.
///
/// STATE is where it notes what the server has. It is made by the first run and removed at the end.
@main struct Program {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let url = URL(string: arguments[2]) else {
            print("usage: sliced-upload FILE URL STATE")
            exit(64)
        }
        do {
            let upload = try SlicedUpload(
                session: .shared, fileURL: URL(fileURLWithPath: arguments[1]), to: url,
                stateURL: URL(fileURLWithPath: arguments[3]))
            let progress = upload.progress
            print("\(progress.completedUnitCount) of \(progress.totalUnitCount) bytes are there already")
            try await upload.run()
            print("\(progress.completedUnitCount) of \(progress.totalUnitCount) bytes are there")
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }
}
