import Decode
import Frames
import Host
import Media
import Verdict

/// A video file in which a capture card, a screen recorder or a camera has recorded a player, as a screen and its sound.
///
/// A frame of the recording is a sample of the screen, taken at its time stamp. Its sound track is the monitor. The clip is recorded once,
/// from its start.
package struct Recording {
  private let path: String
  private let clip: ObservedMeasures.Clip
  private let finder: PictureFinder

  /// - Parameter size: of the clip, in square pixels.
  package init(path: String, clip: ObservedMeasures.Clip, size: PictureSize) {
    (self.path, self.clip, finder) = (path, clip, PictureFinder(clip: size, frames: clip.frames))
  }

  /// The outcome.
  package struct Result {
    package var timeline: ScreenTimeline
    package var measures: ObservedMeasures
    package var watched: WatchedScreen
    /// The size of the recording, and where it shows the picture.
    package var size: PictureSize
    package var grid: CodeGrid
    package var hasSound: Bool
    /// The longest time from one frame to the next, ms.
    package var longestGap: Double
    /// Why the file ends before its end; nil if it is whole.
    package var endsEarly: String?
  }

  /// The clip is looked for in a frame of each such part of the recording, s.
  private static let searchPeriod = 0.25
  /// Sound is read that far before and behind the clip's pictures, ms.
  private static let soundMargin = 5000.0
  /// More sound is not read: an hour.
  private static let soundLimit = 3600 * SoundLog.rate

  /// Decodes the recording twice: to find the picture in it, and to read the picture's numbers.
  ///
  /// - Parameter progress: called with the share that is done, from 0 to 1.
  ///
  /// Throws if the file cannot be decoded, or shows no readable frame.
  package func read(_ progress: (Double) -> Void) throws(Failure) -> Result {
    let reader = try FrameReader(path: path)
    guard !reader.info.isStill else { throw Failure(.input, attempt, cause: "it is a still picture") }
    let (grid, size) = try place(reader) { progress($0 / 2) }
    guard let file = reader.clip else { throw Failure(.input, attempt, cause: "it is a stream, not a file") }
    var log = ScreenLog()
    let pixels = grid.cellCentres
    let radius = Int(min(grid.cell.width, grid.cell.height) / 6)
    var luma = [UInt8](repeating: 0, count: pixels.count)
    var end = Self.instant(.zero)
    let again = try FrameReader(of: file, options: DecoderOptions(), interruption: Interruption())
    try decode(again, { progress(0.5 + $0 / 2) }) { picture, frame in
      for (index, pixel) in pixels.enumerated() {
        // Grey, which no cell is, outside the recording.
        luma[index] = picture.mean(pixel.x, pixel.y, radius: radius) ?? 128
      }
      let time = Self.instant(frame.presentationTime)
      // The screen before the recording is unknown. Its first frame came in an interval as wide as those of the others.
      if log.sampleCount == 0 {
        let before = time.advanced(byMilliseconds: -frame.duration.milliseconds)
        log.add([UInt8](repeating: 128, count: luma.count), from: before, to: before)
      }
      log.add(luma, from: time, to: time)
      end = Self.instant(frame.presentationTime + frame.duration)
    }
    // What the recording shows behind the clip is no fault of the player.
    let timeline = ScreenTimeline(log, until: log.endOfNumbers ?? end)
    guard let highest = timeline.shown.map(\.number).max() else { throw nothingSeen(log.sampleCount - 1) }
    guard highest < clip.frames else {
      throw Failure(
        .input, attempt, cause: "it shows frame \(highest), and the clip has \(clip.frames) frames",
        remedy: "name the clip that was played")
    }
    let heard = try sound(of: file, beside: timeline).map { HeardSound($0, ofClip: clip.seconds) }
    let origin = Self.instant(.zero)
    let seconds = end.seconds(since: origin)
    return Result(
      timeline: timeline, measures: ObservedMeasures(timeline, heard, of: clip, from: .recording(origin)),
      watched: WatchedScreen(
        frames: timeline.shown.map { WatchedScreen.Frame($0, since: origin) }, samples: log.sampleCount - 1,
        samplePeriodMs: log.sampleCount > 2 ? seconds * 1000 / Double(log.sampleCount - 1) : nil, samplerCpuPct: nil,
        legibleTiles: timeline.legibleTiles.count, ending: "was recorded"),
      size: size, grid: grid, hasSound: heard?.points.isEmpty == false, longestGap: log.longestGap,
      endsEarly: again.endsEarly)
  }

  private var attempt: String { "cannot observe the recording '\(path)'" }

  private func nothingSeen(_ frames: Int) -> Failure {
    Failure(
      .failed, attempt, cause: "none of its \(frames) frames shows a frame number that can be read",
      remedy: "record the clip upright, as a whole and at least 160 pixels wide")
  }

  /// Where the recording shows the picture for the longest time, and the recording's size.
  private func place(
    _ reader: FrameReader, _ progress: (Double) -> Void
  ) throws(Failure) -> (CodeGrid, PictureSize) {
    var found: [(grid: CodeGrid, count: Int)] = []
    var size: PictureSize?
    var next = MediaTime.zero
    var frames = 0
    try decode(reader, progress) { picture, frame in
      size = size ?? picture.size
      frames += 1
      guard frame.presentationTime >= next || frames == 1 else { return }
      next = frame.presentationTime + MediaTime(seconds: Self.searchPeriod)
      guard let grid = finder.find(in: picture) else { return }
      if let known = found.firstIndex(where: { $0.grid.isNear(grid) }) {
        found[known].count += 1
      } else {
        found.append((grid, 1))
      }
    }
    guard let size, let best = found.max(by: { $0.count < $1.count }) else { throw nothingSeen(frames) }
    return (best.grid, size)
  }

  /// Calls `use` with each frame of the recording in turn.
  private func decode(
    _ reader: FrameReader, _ progress: (Double) -> Void, _ use: (LumaPicture, VideoFrame) -> Void
  ) throws(Failure) {
    let count = reader.info.video.frameCount
    var done = 0
    while let frame = try reader.next() {
      if Interrupt.isRequested { throw Failure(.cancelled, attempt, cause: "it was interrupted") }
      guard let picture = LumaPicture(frame) else {
        throw Failure(.failed, attempt, cause: "a decoded frame has no luma in memory")
      }
      use(picture, frame)
      done += 1
      if let count, count > 0 { progress(min(1, Double(done) / Double(count))) }
    }
  }

  /// The first sound track while the clip is on screen, and a while before and behind; nil if there is none, or it cannot be played.
  private func sound(of file: ProbedClip, beside timeline: ScreenTimeline) throws(Failure) -> SoundLog? {
    guard let track = file.info.audio.first, track.refusal == nil, let first = timeline.shown.first?.complete.by else {
      return nil
    }
    let (begin, end) = (
      first.advanced(byMilliseconds: -Self.soundMargin), timeline.end.advanced(byMilliseconds: Self.soundMargin)
    )
    let sound = try AudioReader(track, of: file, sampleRate: SoundLog.rate, layout: .mono)
    var samples: [Float] = []
    var start: MediaTime?
    while samples.count < Self.soundLimit, let frame = try sound.next() {
      if Interrupt.isRequested { throw Failure(.cancelled, attempt, cause: "it was interrupted") }
      if Self.instant(frame.presentationTime) > end { break }
      guard Self.instant(frame.end) > begin else { continue }
      start = start ?? frame.presentationTime
      samples += frame.samples
    }
    return start.map { SoundLog(samples, from: Self.instant($0)) }
  }

  /// The recording's first instant stands at the clock's second 1, as sound may begin before it.
  private static func instant(_ time: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000).advanced(byMilliseconds: time.milliseconds)
  }
}

extension CodeGrid {
  /// True if cells of both lie over each other to half of a cell.
  fileprivate func isNear(_ other: CodeGrid) -> Bool {
    let (width, height) = (cell.width / 2, cell.height / 2)
    return abs(left - other.left) < width && abs(top - other.top) < height
      && abs(left + self.width - other.left - other.width) < width
      && abs(top + self.height - other.top - other.height) < height
  }
}
