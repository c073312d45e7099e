import Foundation
import Glibc

/// `session-networking URL STYLE WORK N`: loads the URL N times and prints one JSON object with what it cost.
@main
struct Main {
    #if BENCHMARK_FOUNDATION
    static let library = "foundation-networking"
    #else
    static let library = "session-networking"
    #endif

    /// Connections are made and code is loaded before anything is measured.
    static let warmUp = 500

    static func main() async {
        let words = CommandLine.arguments
        guard words.count == 5, let url = URL(string: words[1]), let style = Style(rawValue: words[2]),
            let work = Work(rawValue: words[3]), let count = Int(words[4]), count > 0
        else {
            FileHandle.standardError.write(
                Data("usage: \(words[0]) URL delegate|completion|async seq-get|conc-get N\n".utf8))
            exit(2)
        }
        _ = await style.load(url, times: warmUp, atOnce: work.atOnce)
        let before = Usage.now()
        let failed = await style.load(url, times: count, atOnce: work.atOnce)
        let after = Usage.now()
        let result = Measurement(
            client: "\(library)/\(style.rawValue)", work: work.rawValue, n: count,
            cpu_us_per_request: rounded((after.cpu - before.cpu) * 1e6 / Double(count)),
            wall_s: rounded(after.wall - before.wall),
            maxrss_kb: after.residentKilobytes, failed: failed)
        print(result.line)
    }

    /// The clocks tell no more than this.
    private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
}

/// What is done, apart from how the caller learns of it.
enum Work: String {
    case sequential = "seq-get"
    case concurrent = "conc-get"

    var atOnce: Int { self == .sequential ? 1 : 64 }
}

/// One line of the results; the keys are those of the file.
struct Measurement: Encodable {
    var client: String
    var work: String
    var n: Int
    var cpu_us_per_request: Double
    var wall_s: Double
    var maxrss_kb: Int
    var failed: Int

    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// What this process has used so far.
struct Usage {
    var cpu: Double
    var wall: Double
    var residentKilobytes: Int

    static func now() -> Usage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Usage(
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            wall: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, residentKilobytes: usage.ru_maxrss)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
