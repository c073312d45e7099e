import ClientMachines
import HTTPBasics
import NIOCore
import Testing

@testable import Simulator

@Suite struct WindowCheckerTests {
    private static var settings: Observation {
        var settings = ClientSettings()
        settings.deliveryWindow = 10
        return .session(settings)
    }
    private static func told(_ count: Int) -> Observation { tell(.data(ByteBuffer(repeating: 1, count: count))) }
    private static func written(_ count: Int) -> Observation {
        output(.file(one, .write(ByteBuffer(repeating: 1, count: count))))
    }

    @Test(
        arguments: [
            [start(), told(9), told(9), input(.delivered(one, bytes: 9)), told(9)],
            [start(), written(20), input(.fileWrote(one, bytes: 15)), written(20)],
            [.input(.start(one, TaskPlan.collecting, suspended: false)), told(20), told(20)],
        ] as [[Observation]])
    func `a window that is kept passes`(observations: [Observation]) {
        #expect(findings(of: WindowChecker(), [Self.settings] + observations).isEmpty)
    }

    @Test(
        arguments: [
            ([told(9), told(9), told(1)], "1 byte more, while 18 wait and the window is 10"),
            ([written(10), written(2)], "2 bytes more, while 10 wait and the window is 10"),
            (
                [told(20), input(.delivered(one, bytes: 10)), told(3)],
                "3 bytes more, while 10 wait and the window is 10"
            ),
        ] as [([Observation], String)])
    func `one that is overrun is found`(observations: [Observation], sentence: String) {
        #expect(findings(of: WindowChecker(), [Self.settings, start()] + observations) == [sentence])
    }
}

extension TaskPlan {
    fileprivate static var collecting: TaskPlan {
        var plan = TaskPlan.get(kind: .data, asks: [])
        plan.collectsBody = true
        return plan
    }
}
