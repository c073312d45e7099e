import Foundation
import SessionNetworking

/// `sign-in URL [USER PASSWORD]...`: asks for a page that wants to know who asks, twice, and shows what came of it.
///
/// Each further pair is tried when the one before it was refused. A proxy is that of the environment (`http_proxy`,
/// `https_proxy`, `all_proxy`); it is given the first pair, too.
@main struct SignIn {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let text = arguments.first, let url = URL(string: text), arguments.count % 2 == 1 else {
            print("usage: sign-in URL [USER PASSWORD]...")
            exit(64)
        }
        let credentials = stride(from: 1, to: arguments.count, by: 2).map {
            URLCredential(user: arguments[$0], password: arguments[$0 + 1], persistence: .forSession)
        }
        let client = SigningClient(credentials)
        do {
            // The second time neither the credential nor the cookies need to be asked for.
            for _ in 1...2 { print(try await client.get(url)) }
        } catch {
            print("failed: \(error.localizedDescription)")
            exit(1)
        }
    }
}
