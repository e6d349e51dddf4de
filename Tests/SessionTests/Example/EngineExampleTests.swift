import Foundation
import Frames
import Render
import Support
import TestPicture
import Testing

/// The program text of the page `Docs/Bench360.docc/UsingTheEngine.md`, which is `RenderView.swift` beside this file.
@Suite(.tier(.test)) struct EngineExampleTests {
  @Test func thePageShowsTheExampleAsItIs() throws {
    let folder = TestFolders.repository
    let page = try String(contentsOfFile: folder + "/Docs/Bench360.docc/UsingTheEngine.md", encoding: .utf8)
    let example = try String(
      contentsOfFile: folder + "/Tests/SessionTests/Example/RenderView.swift", encoding: .utf8)
    #expect(page.contains("```swift\n\(example)```\n"), "UsingTheEngine.md and RenderView.swift differ")
  }

  /// The picture that it writes shows the number of the frame at that time, where the camera says.
  @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"), arguments: [0.0, 0.5, 0.749])
  func theExampleDrawsTheFrameOfThatTime(seconds: Double) throws {
    let clip = try SharedClips.synthetic("example.mp4") { $0.size = PictureSize(width: 1280, height: 640) }
    try TestFolders.withTemporary { folder in
      let time = try renderView(of: clip, at: seconds, to: folder + "/view.png")
      let number = Int(seconds * 30)
      #expect(abs(time.seconds - Double(number) / 30) < 1e-3)

      let target = PictureSize(width: 640, height: 360)
      let png = try CommandOutput.of(
        "ffmpeg", ["-v", "error", "-i", folder + "/view.png", "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
      try #require(png.output.count == target.width * target.height * 4, "\(png.errors)")
      func shown(by camera: Camera) -> FrameCode.Reading {
        FrameCode.read(.equirectangular) { u, v in
          PictureGeometry(projection: .equirectangular).pixel(
            u: u, v: v, picture: PictureSize(width: 1280, height: 640), target: target, camera: camera
          ).map { png.output[(Int($0.y) * target.width + Int($0.x)) * 4 + 1] }
        }
      }
      #expect(shown(by: Camera(pan: 30)) == .number(number))
      #expect(shown(by: Camera(pan: 0)) != .number(number), "a camera that looks elsewhere would be taken for this one")
    }
  }
}
