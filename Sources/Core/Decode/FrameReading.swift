import Frames
import Media

/// What gives the frames of a clip in presentation order and goes where it is told: `FrameReader`, which decodes them, and
/// `UndecodedReader`, which tells their times alone. One thread at a time.
///
/// Each member is as `FrameReader` has it.
public protocol FrameReading: AnyObject {
  func next() throws(Failure) -> VideoFrame?
  func first() throws(Failure) -> VideoFrame?
  func rewind() throws(Failure)
  func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame?
  func previous(to time: MediaTime) throws(Failure) -> VideoFrame?
  func leap(toSyncSampleAfter place: MediaTime) throws(Failure)
  var skipsNonReferences: Bool { get set }
  var framesLeftOut: Int { get }
  var framesDecoded: Int { get }
  var prematureEnd: Failure? { get }
}

extension FrameReader: FrameReading {}
