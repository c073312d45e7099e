// One text, two modules: what compiles and holds in this folder holds with `import SessionNetworking` in place of
// `import FoundationNetworking`. The target ParityTestsOurs compiles it against ours, ParityTestsFoundation (whose
// folder holds a link to this one) against Foundation's. Where the two differ, Foundation's side is a known defect or a
// documented divergence, stands under `#if PARITY_FOUNDATION` and names its row of Documentation/BEHAVIOUR.md.
//
// One file per topic, each beginning with the same conditional import.
import Foundation
import Testing

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
