import Decode
import Frames
import Host
import Media

/// What `density` plays at once.
public struct DensitySettings: Sendable, Codable, Hashable {
  /// So many streams; nil: as many as the machine keeps up with, which is looked for.
  public var streams: Int?

  public init() {}

  /// Each has threads, pictures and views of its own.
  public static let most = 256
  /// A search that is not settled by then ends, s.
  static let searchSeconds = 280.0
  /// A share of the memory that is free stays so.
  private static let memoryShare = 0.8
  /// Beside its pictures: a process with a device, or threads of one, MiB.
  private static let (processMebibytes, threadMebibytes) = (96.0, 12.0)
  /// That a decoder keeps as references, and that the display still holds.
  private static let heldPictures = 10

  /// As many streams as memory may hold, 1 at least.
  static func limit(
    _ settings: RunSettings, _ info: MediaInfo, inProcesses: Bool, availableMebibytes: Double?
  ) -> Int {
    guard let available = availableMebibytes else { return most }
    let format = info.video.shownFormat(allowsDeep: true)
    let picture = format.planes.reduce(0.0) { bytes, plane in
      let size = plane.size(of: info.video.size)
      return bytes + Double(size.width) * Double(size.height) * Double(plane.bytesPerTexel)
    }
    let view = Double(settings.viewing.size.width) * Double(settings.viewing.size.height) * 4
    let pictures = Double(settings.pacing.lookAhead + heldPictures + max(1, settings.decoder.threads))
    let each = (pictures * picture + 4 * view) / 1_048_576 + (inProcesses ? processMebibytes : threadMebibytes)
    return min(most, max(1, Int(saturating: available * memoryShare / each)))
  }
}
