import Foundation
import SessionNetworking

/// `cached-reader`: one session with a cache in memory. Each line that it reads is a request,
/// `METHOD POLICY URL [BODY]`, and each line that it prints says what came of it: the status, where it came from, some
/// fields, and the text.
///
///     GET useProtocolCachePolicy http://127.0.0.1:8080/page
///     200 [network 304, cache 200] ETag="1" Cache-Control=no-cache X-Cache= Age= hello
@main struct CachedReader {
    static func main() async {
        let reader = Reader()
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard words.count >= 3, let policy = policies[words[1]], let url = URL(string: words[2]) else {
                print("usage: METHOD POLICY URL [BODY]")
                exit(64)
            }
            var request = URLRequest(url: url, cachePolicy: policy)
            request.httpMethod = words[0]
            if words.count > 3 { request.httpBody = Data(words[3].utf8) }
            print(await reader.answer(to: request))
            // Whoever writes the lines waits for this one.
            fflush(nil)
        }
    }

    private static let policies: [String: URLRequest.CachePolicy] = [
        "useProtocolCachePolicy": .useProtocolCachePolicy,
        "reloadIgnoringLocalCacheData": .reloadIgnoringLocalCacheData,
        "reloadIgnoringLocalAndRemoteCacheData": .reloadIgnoringLocalAndRemoteCacheData,
        "returnCacheDataElseLoad": .returnCacheDataElseLoad,
        "returnCacheDataDontLoad": .returnCacheDataDontLoad,
        "reloadRevalidatingCacheData": .reloadRevalidatingCacheData,
    ]
}
