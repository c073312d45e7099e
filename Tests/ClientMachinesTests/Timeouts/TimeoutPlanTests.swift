import ClientMachines
import HTTPBasics
import Testing

@Suite struct TimeoutPlanTests {
    private let plan = TimeoutPlan(request: .seconds(60), resource: .seconds(1000), at: .zero)

    private func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    @Test func `before anybody waits only the resource timer runs`() {
        #expect(plan.deadline == at(1000))
        #expect(plan.expired(at: at(999)) == nil)
        #expect(plan.expired(at: at(1000)) == .resource)
    }

    @Test func `silence is measured from the last progress`() {
        var plan = plan
        plan.progressed(at: at(5))
        #expect(plan.deadline == at(1000), "no progress starts a timer that stands still")
        plan.startWaiting(at: at(10))
        #expect(plan.deadline == at(70))
        plan.startWaiting(at: at(20))
        #expect(plan.deadline == at(70), "waiting on is no progress")
        plan.progressed(at: at(30))
        #expect(plan.deadline == at(90))
        #expect(plan.expired(at: at(89)) == nil)
        #expect(plan.expired(at: at(90)) == .request)
    }

    @Test func `the user's turn stops the silence, not the resource timer`() {
        var plan = plan
        plan.startWaiting(at: at(0))
        plan.stopWaiting()
        #expect(plan.deadline == at(1000))
        plan.startWaiting(at: at(500))
        #expect(plan.deadline == at(560))
    }

    @Test func `progress never moves the resource timer`() {
        var plan = plan
        plan.startWaiting(at: at(0))
        plan.progressed(at: at(990))
        #expect(plan.deadline == at(1000))
        #expect(plan.expired(at: at(1000)) == .resource)
    }

    @Test func `nothing fires in suspension, and the resource timer keeps its place`() {
        var plan = plan
        plan.startWaiting(at: at(0))
        plan.suspend()
        #expect(plan.deadline == nil)
        #expect(plan.expired(at: at(5000)) == nil)
        plan.resume()
        plan.progressed(at: at(500))
        #expect(plan.deadline == at(560))
        plan.suspend()
        plan.resume()
        plan.progressed(at: at(2000))
        #expect(plan.expired(at: at(2000)) == .resource)
    }

    @Test func `a timeout without end never comes`() {
        var plan = TimeoutPlan(request: .nanoseconds(Int64.max), resource: .nanoseconds(Int64.max), at: at(10))
        plan.startWaiting(at: at(20))
        #expect(plan.deadline?.nanoseconds == .max)
        #expect(plan.expired(at: at(1_000_000_000)) == nil)
    }
}
