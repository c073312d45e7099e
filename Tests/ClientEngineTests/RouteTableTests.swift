import Testing

@testable import ClientEngine

@Suite struct RouteTableTests {
    private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private static let zeros = "00000000000000000000000000000000"

    private static func line(_ name: String, to: String = "00000000", flags: String = "0003", metric: Int = 0) -> String
    {
        let mask = to == "00000000" ? to : "00FFFFFF"
        return "\(name)\t\(to)\t0100A8C0\t\(flags)\t0\t0\t\(metric)\t\(mask)\t0\t0\t0\n"
    }

    private static func line6(_ name: String, to: String = zeros, length: String = "00", flags: String = "00000003")
        -> String
    {
        "\(to) \(length) \(zeros) 00 \(zeros) 00000400 00000001 00000000 \(flags) \(name)\n"
    }

    // BEHAVIOUR 1.B16, 1.B16-kinds
    @Test(
        arguments: [
            ("", "", nil), (head, "", nil),
            (head + line("eth0", to: "0000A8C0"), "", "eth0"),
            (head + line("eth0", to: "0000A8C0") + line("wlan0", metric: 600) + line("wwan0", metric: 50), "", "wwan0"),
            (head + line("eth0", flags: "0002"), "", nil), (head + line("eth0", flags: "0203"), "", nil),
            (head + line("lo"), line6("lo"), nil), (head, line6("eth1"), "eth1"),
            (head, line6("eth1", to: "fe800000000000000000000000000000", length: "40"), nil),
            (head, line6("eth1", to: "ff000000000000000000000000000000", length: "08"), nil),
            (head, line6("eth1", flags: "80200001"), nil), (head, line6("lo", flags: "00200200"), nil),
            ("nonsense\nof\tany\tkind\n\t\t\t\t\t\t\t\t\n", " \n a b c d e f g h i j\n", nil),
        ] as [(String, String, String?)])
    func `the way out is the default route, else any`(ipv4: String, ipv6: String, interface: String?) {
        #expect(RouteTable(ipv4: ipv4, ipv6: ipv6).interface == interface)
    }
}
