import ServerScript

/// Leaves of several bends those that a failure needs, and makes them smaller.
enum BendShrinker {
    /// `bends` fail. What comes back fails too, without any that could go.
    ///
    /// There are few of them: each is tried by itself, again and again while one goes.
    static func shortest(_ bends: [Bend], fails: ([Bend]) throws -> Bool) rethrows -> [Bend] {
        var bends = bends
        var index = 0
        while index < bends.count, bends.count > 1 {
            var rest = bends
            rest.remove(at: index)
            if try fails(rest) { (bends, index) = (rest, 0) } else { index += 1 }
        }
        for index in bends.indices { try reduce(&bends, at: index, fails) }
        return bends
    }

    /// Pieces that change places get as short as they may be.
    private static func reduce(_ bends: inout [Bend], at index: Int, _ fails: ([Bend]) throws -> Bool) rethrows {
        while case .swap(let offset, let count) = bends[index].change, count > 1 {
            var smaller = bends
            smaller[index].change = .swap(offset, count: count / 2)
            guard try fails(smaller) else { return }
            bends = smaller
        }
    }
}
