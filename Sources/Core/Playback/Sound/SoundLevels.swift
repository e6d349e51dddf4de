import Frames
import Synchronization

/// The peaks of sound that was written, by their places on the timeline: what a level meter shows. Any thread.
public final class SoundLevels: Sendable {
  /// The largest absolute sample of a moment: 1 is full scale.
  public struct Peaks: Sendable, Hashable {
    public var left: Float
    public var right: Float

    public init(left: Float = 0, right: Float = 0) { (self.left, self.right) = (left, right) }
  }

  private struct Block {
    var start: MediaTime
    var end: MediaTime
    var peaks: Peaks
  }

  private let blocks = Mutex<[Block]>([])
  /// Of a block.
  private static let seconds = 0.02
  /// Blocks that are kept: more than any device holds.
  private static let limit = 1024

  public init() {}

  /// The sound at a place; silence where none was written.
  public func peaks(at place: MediaTime) -> Peaks {
    blocks.withLock { blocks in
      blocks.last { $0.start <= place && place < $0.end }?.peaks ?? Peaks()
    }
  }

  /// Samples were written.
  ///
  /// - Parameters:
  ///   - samples: interleaved; the first two channels are looked at, of ambisonic sound the one without a direction.
  ///   - place: of each sample frame of them, on the timeline.
  func note(_ samples: ArraySlice<Float>, _ format: SoundFormat, place: (Int) -> MediaTime) {
    let (channels, step) = (format.channelCount, max(1, Int(Double(format.sampleRate) * Self.seconds)))
    let count = samples.count / channels
    let isOne = format.layout == .mono || format.layout.isAmbisonic
    blocks.withLock { blocks in
      for first in stride(from: 0, to: count, by: step) {
        let end = min(first + step, count)
        var peaks = Peaks()
        for frame in Range(from: first, to: end) {
          let index = samples.startIndex + frame * channels
          peaks.left = max(peaks.left, abs(samples[index]))
          peaks.right = max(peaks.right, abs(samples[index + (isOne ? 0 : 1)]))
        }
        blocks.append(Block(start: place(first), end: place(end), peaks: peaks))
      }
      if blocks.count > Self.limit { blocks.removeFirst(blocks.count - Self.limit / 2) }
    }
  }

  /// What is written from now on lies elsewhere.
  func clear() { blocks.withLock { $0.removeAll(keepingCapacity: true) } }
}
