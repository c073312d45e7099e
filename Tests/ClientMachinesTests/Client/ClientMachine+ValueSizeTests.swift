import ClientMachines
import Testing

/// Inputs and outputs are moved around by the thousand: rare large payloads are boxed.
@Suite struct ValueSizeTests {
    private static let strides = [
        ("ClientInput", MemoryLayout<ClientInput>.stride), ("ClientOutput", MemoryLayout<ClientOutput>.stride),
        ("TaskInput", MemoryLayout<TaskInput>.stride), ("TaskOutput", MemoryLayout<TaskOutput>.stride),
        ("UserCall", MemoryLayout<UserCall>.stride),
    ]

    @Test(arguments: strides) func `no input or output takes more than 64 bytes`(name: String, stride: Int) {
        #expect(stride <= 64, "\(name) takes \(stride)")
    }
}
