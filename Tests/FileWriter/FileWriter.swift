import Foundation
import SessionNetworking

/// Writes numbers into a private file, each once, and prints each once it is there:
/// `file-writer <path> <name> <count>`. With `credentials` behind it, keeps permanent credentials instead, of that user
/// name with each number.
@main enum FileWriter {
    static func main() {
        let words = CommandLine.arguments
        guard words.count > 3, let count = Int(words[3]) else { exit(2) }
        if words.count > 4 { return keepCredentials(in: words[1], of: words[2], count) }
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

    private static func keepCredentials(in path: String, of user: String, _ count: Int) {
        let storage = URLCredentialStorage(file: path)
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
