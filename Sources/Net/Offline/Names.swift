import Frames
import HTTP
import Media
import Streaming

// What a program that keeps downloads needs of the modules below, so that it imports this one alone.

/// What went wrong: the attempt, the cause, and what to do.
public typealias Failure = Frames.Failure
/// Ends a download from any thread.
public typealias Interruption = Frames.Interruption
/// Certificates, keys and licence servers.
public typealias NetworkOptions = Media.NetworkOptions
/// Which tracks of a stream are loaded.
public typealias OfflineWish = Streaming.OfflineWish
/// How often, and for how long, a request is made again.
public typealias RetryPolicy = HTTP.RetryPolicy
