#if !canImport(Darwin)
import ClientMachines
import Foundation

extension SlicedUpload {
    /// How a file is cut, and how hard each slice is tried. Values out of their bounds are brought into them.
    public struct Options: Hashable, Sendable {
        /// Bytes of the slices that measure the network, between the next two; 256 KiB.
        public var initialSliceLength = 256 << 10
        /// Bytes, at least 1; 64 KiB. Only the file's last slice, and what is left of a gap, is shorter.
        public var minimumSliceLength = 64 << 10
        /// Bytes, at most 64 MiB, because a slice that fails is sent again from its beginning; 4 MiB.
        public var maximumSliceLength = 4 << 20
        /// How long a slice should take, in seconds, between 0.001 and 3600; 2. The next slice is as long as what
        /// was sent in that time lately, at most double and at least half of the last one.
        public var sliceDuration: TimeInterval = 2
        /// How many slices are on their way at the same time; 4. The session's `httpMaximumConnectionsPerHost` is a
        /// bound as well.
        public var maximumConcurrentSlices = 4
        /// How often one slice is tried, at least once; 5.
        public var maximumAttempts = 5
        /// Seconds before the second attempt of a slice, between 0.001 and 3600; 1. Doubled before each one after it;
        /// up to half is left out at random.
        public var retryDelay: TimeInterval = 1
        /// The longest of these pauses, in seconds; 60. A longer Retry-After of the server is heeded up to an hour.
        public var maximumRetryDelay: TimeInterval = 60

        /// The values named at each property.
        public init() {}

        func settings(hostLimit: Int) -> SliceSettings {
            SliceSettings(
                first: Int64(initialSliceLength), smallest: Int64(minimumSliceLength),
                largest: Int64(maximumSliceLength), span: .seconds(clamping: sliceDuration),
                parallel: min(maximumConcurrentSlices, max(1, hostLimit)), attempts: maximumAttempts,
                pause: .seconds(clamping: retryDelay), longestPause: .seconds(clamping: maximumRetryDelay))
        }
    }
}
#endif
