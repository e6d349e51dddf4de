import Frames
import Glibc

extension Boxes {
  /// `SA3D`: first-order ambisonics of four channels in ACN order, SN3D.
  static let ambisonics = box(
    "SA3D", [0, 0] + bytes(UInt32(1)) + [0, 0] + bytes(UInt32(4)) + (0..<4).flatMap { bytes(UInt32($0)) })

  /// The payload of a `moov` with that box in the first sample entry of a track; nil where there is no such track.
  static func addingAmbisonics(toTrack number: Int, in movie: [UInt8]) -> [UInt8]? {
    let boxes = children(of: movie)
    let tracks = boxes.indices.filter { boxes[$0].type == "trak" }
    guard tracks.indices.contains(number) else { return nil }
    return boxes.indices.flatMap { index -> [UInt8] in
      let track = Array(movie[boxes[index].range])
      guard index == tracks[number] else { return track }
      return replacing(["trak", "mdia", "minf", "stbl", "stsd"], in: track) { descriptions in
        // A version, flags and a count come first.
        guard let entry = children(of: Array(descriptions.dropFirst(8))).first else { return descriptions }
        let whole = Array(descriptions.dropFirst(8))
        return descriptions.prefix(8) + box(entry.type, whole[entry.range].dropFirst(8) + ambisonics)
          + whole[entry.range.upperBound...]
      }
    }
  }
}

/// Says of a track of a finished MP4, whose `moov` is its last box, that its sound is ambisonic: FFmpeg does not write that.
///
/// - Returns: false where it is no such file, or it cannot be written.
func tellAmbisonics(ofTrack number: Int, in path: String) -> Bool {
  guard let file = fopen(path, "r+b") else { return false }
  let isTold = tellAmbisonics(ofTrack: number, in: file)
  return fclose(file) == 0 && isTold
}

private func tellAmbisonics(ofTrack track: Int, in file: UnsafeMutablePointer<FILE>) -> Bool {
  func read(at place: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard fseek(file, place, SEEK_SET) == 0, fread(&bytes, 1, count, file) == count else { return nil }
    return bytes
  }
  func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
  var place = 0
  while let header = read(at: place, 8) {
    var size = number(header[..<4])
    if size == 1 { size = read(at: place + 8, 8).map { number($0[1...]) } ?? 0 }
    guard size >= 8 else { return false }
    guard header[4...].elementsEqual("moov".utf8) else {
      place += size
      continue
    }
    guard let movie = read(at: place + 8, size - 8), read(at: place + size, 1) == nil,
      let changed = Boxes.addingAmbisonics(toTrack: track, in: movie)
    else { return false }
    let bytes = Boxes.box("moov", changed)
    return fseek(file, place, SEEK_SET) == 0 && fwrite(bytes, 1, bytes.count, file) == bytes.count
  }
  return false
}
