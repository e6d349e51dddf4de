import Frames

/// A screen whose pixels can be read at any time, from any one thread.
package protocol ScreenSource: AnyObject, Sendable {
  /// In records: `xvfb`.
  var name: String { get }
  /// The event that a sample's time stamp proves, as a sentence.
  var timing: String { get }
  var size: PictureSize { get }

  /// Returns a function that reads the luma of some pixels into an array of as many elements. Green stands for luma: the code is black and
  /// white.
  func reader(of pixels: [(x: Int, y: Int)]) -> @Sendable (_ luma: inout [UInt8]) -> Void
}
