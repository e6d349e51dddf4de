import Foundation
import Frames

/// FFmpeg's tools as a judge from outside.
package enum Judge {
  package static func ffprobe(_ path: String) throws -> FFprobe {
    try decoded(["-show_format", "-show_streams", path])
  }

  /// Every frame of the first video stream as FFmpeg's own decoder gives it.
  package static func frames(_ path: String) throws -> [FFprobe.Frame] {
    let probe: FFprobe = try decoded(["-threads", "1", "-select_streams", "v:0", "-show_frames", path])
    return probe.frames ?? []
  }

  package static func packets(_ path: String) throws -> [FFprobe.Packet] {
    let probe: FFprobe = try decoded(["-select_streams", "v:0", "-show_packets", path])
    return probe.packets ?? []
  }

  /// CRC-32 of every frame's packed planes.
  package static func hashes(_ path: String) throws -> [UInt32] {
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
  package static func planes(_ path: String, filter: String) throws -> [UInt8] {
    let run = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
        filter, "-f", "rawvideo", "-",
      ])
    guard run.status == 0 else { throw Failure(.failed, "cannot judge '\(path)'", cause: run.errors) }
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
package struct FFprobe: Decodable {
  package var streams: [Stream]?
  package var format: Format?
  package var frames: [Frame]?
  package var packets: [Packet]?

  package struct Format: Decodable {
    package var formatName: String
    package var duration: String?
  }

  package struct Stream: Decodable {
    package var index: Int
    package var codecType: String?
    package var codecName: String?
    package var pixFmt: String?
    package var width: Int?
    package var height: Int?
    package var sampleAspectRatio: String?
    package var rFrameRate: String?
    package var avgFrameRate: String?
    package var nbFrames: String?
    package var colorRange: String?
    package var colorSpace: String?
    package var colorTransfer: String?
    package var colorPrimaries: String?
    package var chromaLocation: String?
    package var fieldOrder: String?
    package var startTime: String?
    package var sideDataList: [SideData]?
  }

  package struct SideData: Decodable {
    package var sideDataType: String?
    package var rotation: Double?
    package var projection: String?
    package var type: String?
    package var yaw: Double?
    package var pitch: Double?
    package var roll: Double?
    package var padding: Int?
    package var boundLeft: Int?
    package var boundTop: Int?
    package var boundRight: Int?
    package var boundBottom: Int?
  }

  package struct Frame: Decodable {
    package var mediaType: String?
    package var keyFrame: Int?
    package var bestEffortTimestamp: Int64?
    package var bestEffortTimestampTime: String?
    package var pktDurationTime: String?
    package var width: Int?
    package var height: Int?
  }

  package struct Packet: Decodable {
    package var pos: String?
    package var size: String?
    package var flags: String?
  }
}

/// The usual CRC-32, as zip and PNG have it. Takes eight bytes at a time, for tests hash whole pictures.
package func crc32(_ bytes: [UInt8]) -> UInt32 {
  let whole = bytes.count / 8 * 8
  var value = ~UInt32(0)
  crcTable.withUnsafeBufferPointer { table in
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: whole, by: 8) {
        let eight = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian ^ UInt64(value)
        value = 0
        for place in 0..<8 { value ^= table[(7 - place) * 256 + Int(UInt8(truncatingIfNeeded: eight >> (place * 8)))] }
      }
      for byte in bytes[whole...] { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    }
  }
  return ~value
}

/// For each byte its remainder, then the remainders of the byte with one to seven zeros behind it.
private let crcTable: [UInt32] = {
  var table: [UInt32] = (0..<256).map { (byte: UInt32) -> UInt32 in
    (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
  for index in 256..<2048 {
    let before = table[index - 256]
    table.append(before >> 8 ^ table[Int(before & 0xFF)])
  }
  return table
}()
