import Bench360Player
import Encode
import Foundation
import Frames
import Support
import TestPicture

/// Clips, players and pictures of the tests.
enum PlayerSupport {
  static let size = PictureSize(width: 320, height: 160)

  static let clipSize = PictureSize(width: 160, height: 80)

  /// A flat clip of 30 pictures a second, each with its number.
  static func clip(frames: Int = 60) throws -> String {
    try SharedClips.synthetic("player-\(frames).mp4") {
      ($0.size, $0.frames, $0.gop, $0.scene.projection) = (clipSize, frames, 10, .flat)
    }
  }

  static var options: Player.Options {
    var options = Player.Options()
    options.output = .off
    options.validates = true
    return options
  }

  /// A player that draws into memory.
  static func player(
    _ path: String, size: PictureSize = size, refresh: Double = 60,
    _ change: (inout Player.Options) -> Void = { _ in }
  ) throws -> Player {
    var options = options
    change(&options)
    let player = Player(path, options: options)
    try player.attach(to: .offscreen(size: size, refresh: refresh))
    return player
  }
}

extension Player {
  /// Waits for a state; the state that was last seen where it never came.
  func state(_ isThere: @escaping @Sendable (State) -> Bool) async -> State {
    let seen = Task {
      var last = State()
      for await state in states {
        last = state
        if isThere(state) { break }
      }
      return last
    }
    let limit = Task {
      try await Patience.pass()
      seen.cancel()
    }
    defer { limit.cancel() }
    return await seen.value
  }
}

extension PlayerImage {
  /// The frame's number, by the picture; nil: it shows none.
  func number(_ layout: FrameCode.Layout = .flat) -> Int? {
    FrameCode.read(layout) { u, v in
      let (x, y) = (
        min(Int(u * Double(size.width)), size.width - 1), min(Int(v * Double(size.height)), size.height - 1)
      )
      return pixels[(y * size.width + x) * 4 + 1]
    }.number
  }
}
