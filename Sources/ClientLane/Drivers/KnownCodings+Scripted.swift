import ClientMachines
import ServerScript

extension KnownCodings {
    /// Those that a scenario needs, whatever else the machine could undo: a case is the same everywhere.
    init(_ codings: [SystemCoding]) {
        self = []
        for coding in codings {
            switch coding {
            case .brotli: insert(.brotli)
            case .zstd: insert(.zstd)
            }
        }
    }
}
