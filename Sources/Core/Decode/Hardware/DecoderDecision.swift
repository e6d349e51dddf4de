internal import CFFmpeg
import Frames

/// The decoder of a clip, and the reason where `auto` chose it.
public struct DecoderDecision: Sendable, Hashable {
  public var choice: DecoderChoice
  /// Nil when the user chose.
  public var reason: String?

  /// - Parameters:
  ///   - wanted: nil is `auto`: the first decoder whose frames can be drawn without passing through the CPU's memory, else
  ///     software, which writes into memory that the GPU reads. A decoder whose frames would have to be copied back saves
  ///     the CPU work and costs the bus twice: that is chosen by name only.
  ///   - codec: FFmpeg's name of it.
  ///   - sharing: of the device that draws; nil: none draws, or it shares nothing.
  ///   - device: the GPU that is to decode; nil: the one that draws, or any.
  ///
  /// Throws, in one sentence, when a decoder was named that cannot be had.
  public init(
    _ wanted: DecoderChoice?, codec: String, sharing: PictureSharing?, device: DeviceIdentity? = nil, path: String
  ) throws(Failure) {
    let id = avcodec_descriptor_get_by_name(codec)?.pointee.id ?? AV_CODEC_ID_NONE
    let candidates = DecoderCandidate.all(HardwareDecoders(), id, sharing, device ?? sharing?.device)
    try self.init(wanted, candidates, isShared: sharing != nil, opensNext: false, path: path)
  }

  /// - Parameters:
  ///   - candidates: in the order in which `auto` tries them.
  ///   - isShared: there is a device that could share frames.
  ///   - opensNext: the caller opens the device of a decoder that was named, and learns then whether it opens.
  package init(
    _ wanted: DecoderChoice?, _ candidates: [DecoderCandidate], isShared: Bool, opensNext: Bool, path: String
  ) throws(Failure) {
    guard let wanted else {
      self = Self.automatic(candidates, isShared)
      return
    }
    if let row = candidates.first(where: { $0.choice == wanted }),
      let obstacle = row.obstacle() ?? (opensNext ? nil : row.obstacleToOpening())
    {
      throw Failure(
        .unsupported, "cannot decode '\(path)' with \(wanted.rawValue)", cause: obstacle,
        remedy: "or use --decoder software")
    }
    choice = wanted
  }

  private init(_ choice: DecoderChoice, _ reason: String) {
    self.choice = choice
    self.reason = reason
  }

  private static func automatic(_ candidates: [DecoderCandidate], _ isShared: Bool) -> DecoderDecision {
    guard isShared else {
      return DecoderDecision(.software, "there is no device that could share a hardware decoder's frames")
    }
    var obstacles: [String] = []
    for row in candidates {
      if let obstacle = row.sharingObstacle() ?? row.obstacle() ?? row.obstacleToOpening() {
        obstacles.append("\(row.choice.rawValue): \(obstacle)")
      } else {
        return DecoderDecision(row.choice, "its frames are drawn without passing through the CPU's memory")
      }
    }
    return DecoderDecision(.software, obstacles.joined(separator: "; "))
  }
}

/// A hardware decoder as a decision sees it, for one codec and one device: what stands in its way.
package struct DecoderCandidate {
  package var choice: DecoderChoice
  /// Why its frames would not be shared.
  package var sharingObstacle: () -> String?
  /// The missing library or device, without opening the device.
  package var obstacle: () -> String?
  /// Why the device does not open, by opening it.
  package var obstacleToOpening: () -> String?

  package init(
    _ choice: DecoderChoice, sharingObstacle: @escaping () -> String? = { nil },
    obstacle: @escaping () -> String? = { nil }, obstacleToOpening: @escaping () -> String? = { nil }
  ) {
    (self.choice, self.sharingObstacle) = (choice, sharingObstacle)
    (self.obstacle, self.obstacleToOpening) = (obstacle, obstacleToOpening)
  }

  /// - Parameter device: nil: any.
  static func all(
    _ decoders: HardwareDecoders, _ codec: AVCodecID, _ sharing: PictureSharing?, _ device: DeviceIdentity?
  ) -> [DecoderCandidate] {
    decoders.rows.map { row in
      DecoderCandidate(
        row.choice, sharingObstacle: { sharing.flatMap { row.sharingObstacle($0, codec) } },
        obstacle: { row.obstacle(to: codec, on: device) }, obstacleToOpening: { row.obstacleToOpening(on: device) })
    }
  }
}

/// A decoder as `devices` and `doctor` list it.
public struct DecoderReport: Sendable, Hashable, Codable {
  public var name: DecoderChoice
  /// Why it cannot be used; nil when nothing is known to stand in the way.
  public var obstacle: String?
  /// Frames reach the device without passing through the CPU's memory; else they are copied back.
  public var sharesMemory: Bool
  /// That FFmpeg has a decoder for there; a GPU need not know all of them. Nil for software: too many to list.
  public var codecs: [String]?

  /// All decoders, software first, for a device.
  ///
  /// - Parameter sharing: of the device; nil where it shares nothing.
  public static func all(on device: DeviceIdentity?, sharing: PictureSharing?) -> [DecoderReport] {
    let software = DecoderReport(name: .software, obstacle: nil, sharesMemory: false, codecs: nil)
    return [software]
      + HardwareDecoders.all.map { row in
        // One codec stands for all: what is asked is whether the device and its libraries are there.
        let obstacle = row.obstacle(to: AV_CODEC_ID_H264, on: device) ?? row.obstacleToOpening(on: device)
        return DecoderReport(
          name: row.choice, obstacle: obstacle, sharesMemory: obstacle == nil && sharing.map(row.sharesAny) ?? false,
          codecs: row.codecs)
      }
  }
}

extension HardwareDecoder {
  /// Frames of one codec at least reach the device without passing through the CPU's memory.
  fileprivate func sharesAny(_ sharing: PictureSharing) -> Bool {
    codecs.contains { name in
      avcodec_descriptor_get_by_name(name).map { sharingObstacle(sharing, $0.pointee.id) == nil } ?? false
    }
  }
}
