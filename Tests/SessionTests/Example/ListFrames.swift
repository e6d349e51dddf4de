import Decode
import Frames

/// Size and rate of a clip, then time and pixel format of its first `count` frames: a line each.
func listFrames(of clip: String, count: Int) throws -> [String] {
  let reader = try FrameReader(path: clip)
  var lines = ["\(reader.info.video.size), \(reader.info.video.frameRate) frames a second"]
  while lines.count <= count, let frame = try reader.next() {
    lines.append("frame \(frame.index) at \(frame.presentationTime.seconds) s, \(frame.format.name)")
  }
  return lines
}
