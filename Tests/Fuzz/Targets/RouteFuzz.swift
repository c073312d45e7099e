import ClientEngine
import NIOCore

/// The kernel's tables of routes, and the setting that says what interfaces cost. The first line is the setting, the
/// rest a table.
enum RouteFuzz {
    private static let own = "xx0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n"

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let setting = input.firstLine, table = String(buffer: input.rest)
        for routes in [RouteTable(ipv4: table, ipv6: ""), RouteTable(ipv4: "", ipv6: table)] {
            guard let name = routes.interface else { continue }
            try demand(name != "lo" && table.contains(name), "an interface that leads nowhere: \(name)")
            let path = InterfaceKinds(setting).path(through: name, isCellular: true)
            try demand(path.interface, equals: name, "another interface")
        }
        // What other lines say takes nothing away from one that can be read.
        let first = RouteTable(ipv4: "\n head\n" + own + table, ipv6: table)
        try demand(first.interface, equals: "xx0", "not the first of the routes that cost least")
        let plain = InterfaceKinds("xx0=plain;" + setting).path(through: "xx0", isCellular: true)
        try demand(!plain.isCellular && !plain.isExpensive && !plain.isConstrained, "not the first entry that fits")
    }
}
