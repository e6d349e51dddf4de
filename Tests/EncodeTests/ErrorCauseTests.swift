import Decode
import Encode
import Foundation
import Frames
import Media
import Synchronization
import Testing

/// FFmpeg's cause of a failure belongs to the call that failed, not to another failure in the process.
@Suite struct ErrorCauseTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  /// MPEG-2 does not allow this width.
  private static func encodingCause(_ folder: String) -> String? {
    let clip = smallClip { ($0.codec, $0.size, $0.frames) = ("mpeg2", PictureSize(width: 16384, height: 64), 1) }
    let failure = #expect(throws: Failure.self) { try generateClip(clip, to: folder + "\(UUID()).mkv") }
    return failure?.cause
  }

  private static func openingCause(_ path: String) -> String? {
    let failure = #expect(throws: Failure.self) { try probe(path) }
    return failure?.cause
  }

  @Test func aCauseIsKeptWhileAnotherModuleLooks() throws {
    let place = folder.file("")
    let path = folder.file("broken.mp4")
    try Data("    ftypisom    ".utf8 + Data(repeating: 7, count: 500)).write(to: URL(filePath: path))
    let errors = FFmpegErrors()
    let cause = try #require(Self.openingCause(path))
    let kept = try #require(errors.last)
    #expect(cause.contains(kept))
    // Another caller begins to look, and sees nothing; the first still has its own.
    let later = FFmpegErrors()
    #expect(later.last == nil && errors.last == kept)
    let encoded = Self.encodingCause(place)
    #expect(Self.openingCause(path) == cause && Self.encodingCause(place) == encoded)
  }

  @Test func twoModulesThatFailAtOnceKeepTheirCauses() throws {
    let place = folder.file("")
    let path = folder.file("broken.mp4")
    try Data("    ftypisom    ".utf8 + Data(repeating: 7, count: 500)).write(to: URL(filePath: path))
    let (opening, encoding) = (Self.openingCause(path), Self.encodingCause(place))
    #expect(opening != nil && opening != encoding)
    #expect(encoding?.contains("above 16383") == true, "\(encoding ?? "it succeeded")")
    let wrong = Mutex<[String?]>([])
    let threads = try (0..<4).map { number in
      try WorkerThread {
        for _ in 0..<50 {
          let (found, expected) =
            number % 2 == 0 ? (Self.openingCause(path), opening) : (Self.encodingCause(place), encoding)
          if found != expected { wrong.withLock { $0.append(found) } }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.withLock { $0 }.isEmpty)
  }
}
