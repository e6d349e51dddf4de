import Bench360Player
import Encode
import Frames

extension Viewer {
  /// Writes the last drawn view to the folder of the settings; the name holds the clip, the time and the camera.
  func keep(_ view: DrawnView, _ tick: PlayTick) {
    guard let pixels = view.pixels, let showing else { return }
    showing.wantsScreenshot = false
    let size = showing.clip.size
    let usesCamera = showing.clip.geometry.projection.usesCamera
    let name = screenshotName(
      clip: showing.path, time: view.frame.presentationTime, camera: usesCamera ? hands.look.camera : nil)
    write(pixels, size, to: name)
  }

  private func write(_ pixels: [UInt8], _ size: PictureSize, to name: String) {
    let file = options.settings.screenshotFolder.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } ?? name
    do {
      try writePNG(rgba: pixels, size: size, to: file)
      tell(.wrote(file))
    } catch {
      tell("\(error)")
    }
  }

  /// Writes the whole current frame as decoded, independent of the camera.
  func keepFrame() {
    guard let showing, let frame = showing.clip.shownFrame else { return }
    do throws(Failure) {
      guard let pixels = try drawing.pixels(of: frame) else { return }
      let name = screenshotName(clip: showing.path, time: frame.presentationTime, camera: nil)
      write(pixels, frame.size, to: name.dropLast(4) + "-frame.png")
    } catch {
      tell(error.description)
    }
  }
}

/// `lake-12.345s-pan20-tilt-5-fov85.png`; flat pictures have no angles.
package func screenshotName(clip: String, time: MediaTime, camera: SphereView?) -> String {
  let file = redactingSecrets(ofArgument: clip).replacing("?…", with: "").split(separator: "/").last ?? "view"
  let stem = file.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
  var name = stem.isEmpty ? String(file) : stem
  name += "-\(Double((time.seconds * 1000).rounded()) / 1000)s"
  guard let camera else { return name + ".png" }
  func whole(_ angle: Double) -> Int { Int(angle.rounded()) }
  name += "-pan\(whole(camera.pan))-tilt\(whole(camera.tilt))"
  if whole(camera.roll) != 0 { name += "-roll\(whole(camera.roll))" }
  return name + "-fov\(whole(camera.fieldOfView)).png"
}
