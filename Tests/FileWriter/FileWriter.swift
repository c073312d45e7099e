import Foundation
import SessionNetworking

/// Writes numbers into a private file, each once, and prints each once it is there:
/// `file-writer <path> <name> <count>`. With `credentials` behind it, keeps permanent credentials instead, of that user
/// name with each number; with `users`, prints whose are there. A word more is the program's name in the Secret
/// Service.
@main enum FileWriter {
    static func main() {
        let words = CommandLine.arguments
        guard words.count > 3, let count = Int(words[3]) else { exit(2) }
        if words.count > 4 {
            let storage = URLCredentialStorage(file: words[1], inServiceAs: words.count > 5 ? words[5] : nil)
            return words[4] == "users" ? sayUsers(of: storage) : keepCredentials(in: storage, of: words[2], count)
        }
        let file = PrivateFile(path: words[1], limit: 1 << 20)
        for number in 0..<count {
            let line = "\(words[2])-\(number)\n"
            do {
                try file.update { found in
                    guard case .bytes(let bytes) = found else { return .replace(Array(line.utf8)) }
                    return .replace(bytes + line.utf8)
                }
            } catch { exit(3) }
            say(line)
        }
    }

    /// A service that is slow gets some time.
    private static func sayUsers(of storage: URLCredentialStorage) {
        let pause = DispatchSemaphore(value: 0)
        for _ in 0..<20 where storage.allCredentials.isEmpty { _ = pause.wait(timeout: .now() + 0.1) }
        for user in storage.allCredentials.values.flatMap(\.keys).sorted() { say(user + "\n") }
    }

    private static func keepCredentials(in storage: URLCredentialStorage, of user: String, _ count: Int) {
        let space = URLProtectionSpace(
            host: "h", port: 80, protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        for number in 0..<count {
            let credential = URLCredential(user: "\(user)-\(number)", password: "p", persistence: .permanent)
            storage.set(credential, for: space)
            let done = DispatchSemaphore(value: 0)
            storage.whenWritten { done.signal() }
            done.wait()
            say("\(user)-\(number)\n")
        }
    }

    /// At once: who is killed has said it.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }
}
