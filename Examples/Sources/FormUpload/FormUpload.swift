import Foundation
import SessionNetworking

/// `form-upload FILE URL`: sends a file, of any size, and a note about it as a form.
@main struct FormUpload {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else {
            print("usage: form-upload FILE URL")
            exit(64)
        }
        do {
            try await send(URL(fileURLWithPath: arguments[1]), to: url)
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    private static func send(_ file: URL, to url: URL) async throws {
        var form = MultipartFormData()
        form.append("Sent by an example.", name: "note")
        try form.append(contentsOf: file, name: "file")
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setBody(form)
        let (answer, response) = try await URLSession.shared.data(for: request)
        print("\(form.contentLength) bytes sent, the answer is \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        print(String(decoding: answer, as: UTF8.self))
    }
}
