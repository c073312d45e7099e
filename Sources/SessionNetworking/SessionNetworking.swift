// On Apple platforms URLSession is part of Foundation: there this module is Foundation, and nothing else.
// That was never tried on a Mac (Documentation/DIVERGENCES.md).
//
// On Linux nothing is re-exported: a file imports Foundation beside this module, as it does with FoundationNetworking.
#if canImport(Darwin)
@_exported import Foundation
#endif
