import ClientMachines
import HTTPBasics

extension TaskPlan {
    /// A GET of `http://a.test/<path>`.
    static func get(
        _ path: String = "/", host: String = "a.test", kind: Kind = .data, asks: QuestionKinds = []
    ) -> TaskPlan {
        let url = URLReference(scheme: "http", host: host, path: path)
        return TaskPlan(request: ClientRequest(url: url), kind: kind, asks: asks)
    }
}
