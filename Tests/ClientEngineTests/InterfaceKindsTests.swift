import ClientMachines
import Testing

@testable import ClientEngine

@Suite struct InterfaceKindsTests {
    private static let setting =
        " wlan0 = expensive constrained ;usb*=cellular,expensive;wwan0=plain;;x;=y;a b=cellular"
        + ";sim0=cellular;wwan2=plane;wwan2=;wwan3=plain;\u{743}y=expensive"

    // BEHAVIOUR 1.B16-kinds
    @Test(arguments: [
        ("wlan0", false, NetworkPath(through: "wlan0", isExpensive: true, isConstrained: true)),
        ("usb7", false, NetworkPath(through: "usb7", isCellular: true, isExpensive: true)),
        ("wwan0", true, NetworkPath(through: "wwan0")),
        ("wwan1", true, NetworkPath(through: "wwan1", isCellular: true, isExpensive: true)),
        ("eth0", false, NetworkPath(through: "eth0")), ("a", false, NetworkPath(through: "a")),
        ("x", false, NetworkPath(through: "x")),
        ("sim0", false, NetworkPath(through: "sim0", isCellular: true, isExpensive: true)),
        ("wwan3", true, NetworkPath(through: "wwan3")),
        ("wwan2", true, NetworkPath(through: "wwan2", isCellular: true, isExpensive: true)),
    ])
    func `the setting says what an interface costs, else the kernel`(
        name: String, isCellular: Bool, expected: NetworkPath
    ) {
        #expect(InterfaceKinds(Self.setting).path(through: name, isCellular: isCellular) == expected)
    }
}
