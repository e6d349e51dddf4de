import Foundation
import Frames
import Support
import Testing

/// FFmpeg's tools as a judge from outside.
enum Judge {
  static func ffprobe(_ path: String) throws -> FFprobe {
    try decoded(["-show_format", "-show_streams", path])
  }

  /// Every frame of the first video stream as FFmpeg's own decoder gives it.
  static func frames(_ path: String) throws -> [FFprobe.Frame] {
    let probe: FFprobe = try decoded(["-threads", "1", "-select_streams", "v:0", "-show_frames", path])
    return probe.frames ?? []
  }

  static func packets(_ path: String) throws -> [FFprobe.Packet] {
    let probe: FFprobe = try decoded(["-select_streams", "v:0", "-show_packets", path])
    return probe.packets ?? []
  }

  /// CRC-32 of every frame's packed planes.
  static func hashes(_ path: String) throws -> [UInt32] {
    let run = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-threads", "1", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode",
        "passthrough", "-f", "framehash", "-hash", "crc32", "-",
      ])
    return run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.flatMap { UInt32($0.trimmingCharacters(in: .whitespaces), radix: 16) }
    }
  }

  /// Packed planes of every frame after `filter`.
  static func planes(_ path: String, filter: String) throws -> [UInt8] {
    let run = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
        filter, "-f", "rawvideo", "-",
      ])
    #expect(run.status == 0, "\(run.errors)")
    return [UInt8](run.output)
  }

  private static func decoded<Value: Decodable>(_ arguments: [String]) throws -> Value {
    let run = try CommandOutput.of("ffprobe", ["-v", "error", "-of", "json"] + arguments)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: run.output)
  }
}

/// What `ffprobe -of json` says, as far as tests compare it.
struct FFprobe: Decodable {
  var streams: [Stream]?
  var format: Format?
  var frames: [Frame]?
  var packets: [Packet]?

  struct Format: Decodable {
    var formatName: String
    var duration: String?
  }

  struct Stream: Decodable {
    var index: Int
    var codecType: String?
    var codecName: String?
    var pixFmt: String?
    var width: Int?
    var height: Int?
    var sampleAspectRatio: String?
    var rFrameRate: String?
    var avgFrameRate: String?
    var nbFrames: String?
    var colorRange: String?
    var colorSpace: String?
    var colorTransfer: String?
    var colorPrimaries: String?
    var chromaLocation: String?
    var fieldOrder: String?
    var startTime: String?
    var sideDataList: [SideData]?
  }

  struct SideData: Decodable {
    var sideDataType: String?
    var rotation: Double?
    var projection: String?
    var type: String?
    var yaw: Double?
    var pitch: Double?
    var roll: Double?
    var padding: Int?
    var boundLeft: Int?
    var boundTop: Int?
    var boundRight: Int?
    var boundBottom: Int?
  }

  struct Frame: Decodable {
    var mediaType: String?
    var keyFrame: Int?
    var bestEffortTimestamp: Int64?
    var bestEffortTimestampTime: String?
    var pktDurationTime: String?
    var width: Int?
    var height: Int?
  }

  struct Packet: Decodable {
    var pos: String?
    var size: String?
    var flags: String?
  }
}

/// The usual CRC-32, as zip and PNG have it.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  ~bytes.reduce(~UInt32(0)) { crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
}

private let crcTable: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
}
