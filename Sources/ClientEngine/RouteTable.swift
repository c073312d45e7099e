/// The kernel's routes, as `/proc/net/route` and `/proc/net/ipv6_route` list them.
package struct RouteTable {
    private struct Route {
        let interface: Substring
        let isDefault: Bool
        let metric: UInt32
    }

    private var routes: [Route] = []

    /// Lines that cannot be read are passed over.
    package init(ipv4: String, ipv6: String) {
        for line in ipv4.split(separator: "\n").dropFirst() {
            // Iface Destination Gateway Flags RefCnt Use Metric Mask …
            let words = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
            guard words.count >= 8, let flags = UInt32(words[3], radix: 16) else { continue }
            add(words[0], isDefault: Self.isZero(words[1]) && Self.isZero(words[7]), flags, UInt32(words[6]))
        }
        for line in ipv6.split(separator: "\n") {
            // Destination PrefixLength Source PrefixLength NextHop Metric RefCnt Use Flags Iface
            let words = line.split(separator: " ")
            guard words.count >= 10, let flags = UInt32(words[8], radix: 16) else { continue }
            // Each interface has these two, which lead to no other machine of interest: fe80::/10 and ff00::/8.
            if words[0].hasPrefix("fe8") || words[0].hasPrefix("ff0") { continue }
            add(words[9], isDefault: Self.isZero(words[0]) && Self.isZero(words[1]), flags, UInt32(words[5], radix: 16))
        }
    }

    /// RTF_UP without RTF_REJECT, and RTF_LOCAL, which is for this machine itself.
    private mutating func add(_ interface: Substring, isDefault: Bool, _ flags: UInt32, _ metric: UInt32?) {
        guard flags & 0x1 != 0, flags & 0x200 == 0, flags & 0x8000_0000 == 0, interface != "lo" else { return }
        routes.append(Route(interface: interface, isDefault: isDefault, metric: metric ?? .max))
    }

    /// Through which other machines are reached: that of the default route, or of any where there is none; nil where
    /// there is no way out.
    package var interface: String? {
        let candidates = routes.contains(where: \.isDefault) ? routes.filter(\.isDefault) : routes
        return candidates.min { $0.metric < $1.metric }.map { String($0.interface) }
    }

    private static func isZero(_ digits: Substring) -> Bool { digits.allSatisfy { $0 == "0" } }
}
