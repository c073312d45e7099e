import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// Cookies of the sessions of a case: all have one storage.
extension ClientLanePlayer {
    func configureCookies(_ configuration: URLSessionConfiguration) {
        let options = scenarioCase.session.cookies
        guard options.hasStorage else {
            configuration.httpCookieStorage = nil
            return
        }
        if cookieStorage == nil {
            cookieStorage =
                options.answersAfter.map { span in
                    LaneSession.cookieStorage { [weak self] job in
                        // Asked where the session calls, which is the lane; a session that is gone hears no answer.
                        self?.stage?.clock.schedule(after: span, job)
                    }
                } ?? configuration.httpCookieStorage
        }
        configuration.httpCookieStorage = cookieStorage
        if !options.areSent { configuration.httpShouldSetCookies = false }
        switch options.policy {
        case .always: configuration.httpCookieAcceptPolicy = .always
        case .never: configuration.httpCookieAcceptPolicy = .never
        case .onlyFromMainDocumentDomain: configuration.httpCookieAcceptPolicy = .onlyFromMainDocumentDomain
        case nil: break
        }
    }

    /// What the caller has put into the storage before the first task, dated by the clock of its world.
    func giveCookies(_ clock: any LaneClock) {
        for given in scenarioCase.session.cookies.jar {
            let origin = origins.absolute("/", host: given.host).flatMap { URL(string: $0) }
            var properties: [HTTPCookiePropertyKey: Any] = [
                .name: given.name, .value: given.value, .path: given.path ?? "/",
                .domain: given.domain ?? origin?.host ?? "",
            ]
            if given.isSecure { properties[.secure] = "TRUE" }
            if let span = given.lifetime { properties[.expires] = clock.date.addingTimeInterval(span / .seconds(1)) }
            if let cookie = HTTPCookie(properties: properties) { cookieStorage?.setCookie(cookie) }
        }
    }

    /// What the storage has now, if the scenario asks for it.
    var storedCookies: [SeenCookie]? {
        guard scenarioCase.expect.cookies != nil, let cookieStorage, let clock = stage?.clock else { return nil }
        return (cookieStorage.cookies ?? []).map { cookie in
            SeenCookie(
                name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
                isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, sameSite: LaneSession.sameSite(of: cookie),
                left: cookie.expiresDate.map { .seconds(clamping: $0.timeIntervalSince(clock.date)) })
        }
    }
}
