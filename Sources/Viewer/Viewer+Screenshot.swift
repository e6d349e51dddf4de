import Encode
import Frames
import GPU
import Playback
import Render

extension Viewer {
  /// Writes what was just drawn into the current folder; its name tells of what, when and where it looked.
  func keep(_ view: FrameRing.Finished, _ tick: PlayTick) {
    guard let pixels = view.pixels, let showing else { return }
    wantsScreenshot = false
    let size = showing.session.renderer.targetSize
    let usesCamera = showing.session.renderer.geometry.projection.usesCamera
    let name = screenshotName(
      clip: showing.path, time: view.frame.presentationTime, camera: usesCamera ? look.camera : nil)
    do {
      try writePNG(rgba: pixels, size: size, to: name)
      say("wrote \(name)")
      options.onMessage("wrote \(name)")
    } catch {
      say("\(error)")
      options.onMessage("\(error)")
    }
  }
}

/// `lake-12.345s-pan20-tilt-5-fov85.png`; flat pictures have no angles.
package func screenshotName(clip: String, time: MediaTime, camera: Camera?) -> String {
  let file = clip.split(separator: "/").last ?? "view"
  let stem = file.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
  var name = stem.isEmpty ? String(file) : stem
  name += "-\(Double((time.seconds * 1000).rounded()) / 1000)s"
  guard let camera else { return name + ".png" }
  func whole(_ angle: Double) -> Int { Int(angle.rounded()) }
  name += "-pan\(whole(camera.pan))-tilt\(whole(camera.tilt))"
  if whole(camera.roll) != 0 { name += "-roll\(whole(camera.roll))" }
  return name + "-fov\(whole(camera.fieldOfView)).png"
}
