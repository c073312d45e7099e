import Testing

@testable import SessionNetworking

@Suite struct UseOrderTests {
    @Test func `what was used longest ago is the oldest`() {
        var order = UseOrder()
        let places = (0..<3).map { _ in order.add() }
        #expect(order.oldest == places[0])
        order.use(places[0])
        #expect(order.oldest == places[1])
        order.remove(places[1])
        #expect(order.oldest == places[2])
        order.remove(places[2])
        order.remove(places[0])
        #expect(order.oldest == nil)
    }

    @Test func `a place that was removed is given again, as the newest`() {
        var order = UseOrder()
        let first = order.add(), second = order.add()
        order.remove(first)
        #expect(order.add() == first)
        #expect(order.oldest == second)
    }

    @Test func `it agrees with a list, whatever is done`() {
        var order = UseOrder(), model: [Int] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: model.append(order.add())
            case 1:
                guard let place = model.randomElement(using: &random) else { continue }
                model.removeAll { $0 == place }
                model.append(place)
                order.use(place)
            default:
                guard let place = model.randomElement(using: &random) else { continue }
                model.removeAll { $0 == place }
                order.remove(place)
            }
            #expect(order.oldest == model.first)
        }
    }
}
