import Foundation
import ScenarioFormat

/// The cache of the sessions of a case: all have one.
extension ClientLanePlayer {
    func configureCache(_ configuration: URLSessionConfiguration) {
        guard LaneSession.keepsAnswers else { return }
        let options = scenarioCase.session.cache
        if cache == nil, let options {
            cache = LaneSession.cache(options) { [weak self] job in
                // As for cookies: asked where the session calls, which is the lane.
                self?.stage?.clock.schedule(after: options.answersAfter ?? .zero, job)
            }
        }
        configuration.urlCache = cache
    }
}
