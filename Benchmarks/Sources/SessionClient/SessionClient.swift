import Foundation
import Measure

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// `session-networking URL STYLE WORK COUNT`, and the same for FoundationNetworking.
@main
struct SessionClient {
    #if BENCHMARK_FOUNDATION
    static let name = "foundation-networking"
    #else
    static let name = "session-networking"
    #endif

    static func main() async {
        let job = read_job(CommandLine.argc, CommandLine.unsafeArgv)
        let connections = Int(job.work.at_once)
        let file = job.work.upload > 0 ? URL(fileURLWithPath: String(cString: upload_path())) : nil
        guard let loader = loader(String(cString: job.style), connections: connections),
            let warmUp = Exchange(job.base, warm_up_path, body: warm_up_body),
            let exchange = Exchange(job.base, job.work.path, body: job.work.body, file: file)
        else {
            FileHandle.standardError.write(Data("\(name): an unknown style, or no URL\n".utf8))
            exit(2)
        }
        _ = await loader.load(warmUp, times: Int(job.work.warm_up), atOnce: connections)
        if let path = first_upload_path() {
            var first = exchange
            first.file = URL(fileURLWithPath: String(cString: path))
            _ = await loader.load(first, times: 1, atOnce: 1)
        }
        measure_begin(job)
        let failed = await loader.load(exchange, times: Int(job.count), atOnce: connections)
        measure_end(job, name, Int32(failed))
    }

    /// How the caller learns of results.
    static func loader(_ style: String, connections: Int) -> (any Loader)? {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        // What is measured is the network, unless the style says otherwise.
        #if !BENCHMARK_FOUNDATION
        configuration.urlCache = nil
        #endif
        switch style {
        case "delegate": return DelegateLoader(configuration)
        case "completion", "upload": return CompletionLoader(configuration)
        case "async": return AsyncLoader(configuration)
        case "download": return DownloadLoader(configuration)
        #if !BENCHMARK_FOUNDATION
        case "file": return FileReader()
        case "bytes": return BytesLoader(configuration)
        default:
            if let keeping = Keeping(rawValue: style) {
                keeping.configure(configuration)
                return DelegateLoader(configuration)
            }
            if let identity = Identity(rawValue: style) {
                identity.configure(configuration)
                return DelegateLoader(configuration)
            }
            if let way = StoringLoader.Way(rawValue: style) { return StoringLoader(way, configuration) }
            return FileLoader.Way(rawValue: style).map { FileLoader($0, configuration) }
        #else
        default: return nil
        #endif
        }
    }
}
