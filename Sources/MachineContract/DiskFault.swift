/// Something that goes wrong, on purpose, with the files of a case: those of its downloads, and of its cache.
package struct DiskFault: Hashable, Sendable {
    package enum Landmark: Hashable, Sendable {
        case open
        /// At the first write that reaches beyond so many bytes of the file; those before it are still taken.
        case write(from: Int64)
        case close
        /// At the first read that reaches beyond so many bytes of the body that is kept there.
        case read(from: Int64)
    }

    package enum Effect: Hashable, Sendable {
        /// ENOSPC
        case full
        /// EACCES
        case denied
        /// EIO
        case broken
        /// Only of what is read: where it strikes a byte comes out that is not the one that was written.
        case altered
        /// Nothing is wrong but the time that it takes: every action from there on.
        case delay(Duration)
    }

    package var landmark: Landmark
    package var effect: Effect

    package init(at landmark: Landmark, do effect: Effect) {
        self.landmark = landmark
        self.effect = effect
    }
}
