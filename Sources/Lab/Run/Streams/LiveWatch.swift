import Frames
import Streaming
import Verdict

/// How far behind life the pictures of a stream are, by two witnesses: the number in the picture, which tells when it was live, and the
/// time of day that the stream tells. One thread.
struct LiveWatch {
  private let stream: LoadedStream
  /// Frames per second, and how many make a round; nil where pictures carry no numbers.
  private let coded: (rate: Double, frames: Double)?
  private var numbers: [(place: MediaTime, number: Int)] = []
  private(set) var levels: [StreamSession.LiveLevel] = []

  /// Levels are written down this often, in seconds.
  private static let interval = 0.1
  /// Frames that were decoded and not shown yet, at most.
  private static let numberLimit = 256

  init(_ stream: LoadedStream, _ tag: SyntheticTag?) {
    self.stream = stream
    coded = tag.flatMap { tag in tag.rate.value.map { ($0, Double(tag.frames)) } }
  }

  /// A frame that was decoded shows this number.
  mutating func decoded(_ place: MediaTime, number: Int?) {
    guard let number, stream.liveEdge != nil else { return }
    if numbers.count >= Self.numberLimit { numbers.removeFirst(Self.numberLimit / 2) }
    numbers.append((place, number))
  }

  /// A frame was shown.
  mutating func shown(_ place: MediaTime, rate: Double) {
    guard let edge = stream.liveEdge else { return }
    let now = stream.now
    guard now - (levels.last?.time ?? -1) >= Self.interval else { return }
    let byDate = edge.latency(of: place, wall: stream.wall)
    // Another run of the packager begins by another number.
    let isFirstRun = (stream.segment(at: place)?.run ?? 0) == 0
    let number = isFirstRun ? numbers.last { $0.place == place }?.number : nil
    levels.append(
      StreamSession.LiveLevel(
        time: now, latency: number.flatMap { number in byDate.flatMap { latency(number, place, byDate: $0) } },
        dateLatency: byDate, edgeDistance: edge.distance(of: place, at: now), rate: rate,
        target: edge.target?.seconds))
  }

  /// By the picture's number alone, but for the round, which it does not tell: the nearest one is meant.
  private func latency(_ number: Int, _ place: MediaTime, byDate latency: Double) -> Double? {
    guard let coded else { return nil }
    let (round, own) = (coded.frames / coded.rate, Double(number) / coded.rate)
    let rounds = ((place.seconds - own) / round).rounded()
    return latency + place.seconds - (own + rounds * round)
  }
}
