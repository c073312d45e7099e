import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript

@testable import Simulator

/// A network without machines: the test speaks for both sides and reads what each is told, with its time.
final class NetworkBench: ClientSide, ServerSide {
    struct Entry: Equatable {
        var microseconds: Int64
        var text: String
    }

    let scheduler: Scheduler
    let log: SimulationLog
    let network: SimulatedNetwork
    private(set) var client: [Entry] = []
    private(set) var server: [Entry] = []
    /// What each side has received in all.
    private(set) var clientBytes = ByteBuffer()
    private(set) var serverBytes = ByteBuffer()
    private(set) var clientPieces: [Int] = []
    private(set) var clientWrote = 0
    private(set) var serverWrote = 0

    init(
        seed: UInt64? = nil, names: NameTable = NameTable(listenersOf: Script()), rules: [FaultRule] = [],
        latency: Duration? = nil, rate: Int? = nil
    ) {
        var options = SimulationOptions(seed: seed, directory: "/", rules: rules)
        options.latency = latency ?? options.latency
        options.rate = rate
        var decisions = DecisionMaker(seed.map { .seeded($0) } ?? .plain)
        scheduler = Scheduler(turns: decisions.decisions(.turn))
        log = SimulationLog(scheduler: scheduler)
        network = SimulatedNetwork(
            scheduler: scheduler, names: names, security: [:], options, decisions: &decisions, log: log)
        network.attach(client: self)
        network.attach(server: self)
    }

    deinit {
        scheduler.shutDown()
        network.detachAll()
    }

    let id = ConnectionID(1)

    /// Connects to `a.test` and forgets what was told so far.
    func open() -> Link? {
        network.connect(0, id, to: NetworkAddress(text: "127.0.0.1", port: 80))
        run()
        client.removeAll()
        server.removeAll()
        return network.link(0, id)
    }

    func run() { _ = scheduler.run(until: .zero + .seconds(1_000), stepLimit: 100_000) }

    var clientTexts: [String] { client.map(\.text) }
    var serverTexts: [String] { server.map(\.text) }

    func deliver(_ input: ClientInput) {
        if case .received(_, let bytes) = input {
            clientBytes.writeImmutableBuffer(bytes)
            clientPieces.append(bytes.readableBytes)
        }
        if case .wrote(_, let bytes) = input { clientWrote += bytes }
        let line = JournalLine()
        line.input(input)
        client.append(entry(line))
    }

    func deliver(_ input: ScriptInput) {
        if case .received(_, let bytes) = input { serverBytes.writeImmutableBuffer(bytes) }
        if case .wrote(_, let bytes) = input { serverWrote += bytes }
        let line = JournalLine()
        line.input(input)
        server.append(entry(line))
    }

    private func entry(_ line: JournalLine) -> Entry {
        Entry(
            microseconds: scheduler.now.nanoseconds / 1_000,
            text: String(decoding: line.bytes.dropFirst(2), as: UTF8.self))
    }
}

/// Bytes of which each tells its position.
func counted(_ count: Int) -> ByteBuffer { ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }
