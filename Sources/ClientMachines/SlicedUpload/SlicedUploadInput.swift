import HTTPBasics
import MachineContract

/// Everything that can happen to a sliced upload.
package enum SlicedUploadInput: MachineInput {
    /// Begins, or goes on.
    case resume
    /// Nothing more is sent; what is on its way arrives.
    case suspend
    case cancel
    /// The server has these bytes.
    case stored(Range<Int64>)
    /// It has not.
    case failed(Range<Int64>, SliceFailure)
    case timePassed
}

/// What becomes of a slice that did not arrive.
package enum SliceFailure: Equatable, Sendable {
    /// Another attempt may do better, after that time if the server has asked for one.
    case passing(retryAfter: Duration?)
    /// No attempt ever will.
    case lasting
}

/// What a sliced upload wants.
package enum SlicedUploadOutput: Equatable, Sendable {
    /// Send these bytes; attempts count from 1.
    case send(Range<Int64>, attempt: Int)
    /// The server has all these now: to be saved and shown.
    case advanced(FileRanges)
    /// Cancel what is on its way.
    case abandon
    /// Comes once, last.
    case finish(SlicedUploadEnd)
}

package enum SlicedUploadEnd: Equatable, Sendable {
    case complete
    case cancelled
    /// This slice failed for good.
    case failed(Range<Int64>)
}
