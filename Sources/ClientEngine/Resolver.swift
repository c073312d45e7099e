import ClientMachines

/// Turns host names into addresses. Injected, so that a conformance run can bring names of its own.
package protocol Resolver: AnyObject, Sendable {
    /// Calls `answer` once, unless it is withdrawn: on any thread, perhaps before this returns. Nil when it cannot be
    /// withdrawn any more.
    func resolve(
        host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
    ) -> NameWaiter?

    /// Lets go of the caller who waits. The answer may be on its way already.
    func withdraw(_ waiter: NameWaiter)
}

/// One who waits for the addresses of a name.
package struct NameWaiter: Hashable, Sendable {
    let name: FamilyName
    let number: UInt64
}

/// What is asked for: a name is one question in each family.
package struct FamilyName: Hashable, Sendable {
    /// In small letters: names are compared without regard to case (RFC 4343).
    let host: String
    let family: AddressFamily

    package init(_ host: String, _ family: AddressFamily) {
        self.host = host.lowercased()
        self.family = family
    }
}

/// What became of a name.
package enum ResolverAnswer: Hashable, Sendable {
    /// At least one address, in the order in which they should be tried (RFC 6724).
    case addresses([NetworkAddress])
    /// In the system's words.
    case failure(String)
}

/// A resolver that knows a few names by heart and hands all others to another one.
package final class FixedResolver: Resolver {
    private let addresses: [String: String]
    private let otherwise: any Resolver

    /// `addresses` maps host names, in lower case, to IP addresses.
    package init(_ addresses: [String: String], otherwise: any Resolver = SystemResolver.shared) {
        self.addresses = addresses
        self.otherwise = otherwise
    }

    package func resolve(
        host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
    ) -> NameWaiter? {
        // Its address is a literal, which no resolver has to ask for.
        otherwise.resolve(host: addresses[host.lowercased()] ?? host, port: port, family: family, answer: answer)
    }

    package func withdraw(_ waiter: NameWaiter) { otherwise.withdraw(waiter) }
}
