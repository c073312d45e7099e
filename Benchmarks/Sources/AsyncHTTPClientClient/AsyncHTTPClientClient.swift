import AsyncHTTPClient
import Glibc
import Measure
import NIOSSL

/// `async-http-client URL STYLE WORK COUNT`
@main
struct AsyncHTTPClientClient {
    static func main() async throws {
        let job = read_job(CommandLine.argc, CommandLine.unsafeArgv)
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Int(job.work.at_once)
        if let authorities = getenv("SSL_CERT_FILE") {
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.trustRoots = .file(String(cString: authorities))
        }
        let client = HTTPClient(configuration: configuration)
        let style = String(cString: job.style)
        let base = String(cString: job.base)
        guard ["async", "delegate", "buffers", "download"].contains(style) else {
            print("async-http-client: the styles are async, delegate, buffers and download")
            exit(2)
        }
        let atOnce = Int(job.work.at_once)
        let warmUp = Loader(
            client: client, style: style, url: base + String(cString: warm_up_path), body: warm_up_body)
        let loader = Loader(
            client: client, style: style, url: base + String(cString: job.work.path), body: job.work.body)
        _ = await warmUp.load(times: Int(job.work.warm_up), atOnce: atOnce)
        measure_begin(job)
        let failed = await loader.load(times: Int(job.count), atOnce: atOnce)
        measure_end(job, "async-http-client", Int32(failed))
        try await client.shutdown()
    }
}
