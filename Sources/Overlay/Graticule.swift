import Frames
import GPU
import Render

/// Meridians and parallels over a spherical view, every 15°: where is the camera looking?
public enum Graticule {
  /// Draws the lines over everything `renderer` draws from now on; a flat projection has no directions to mark.
  public static func add(to renderer: ViewRenderer) throws(Failure) {
    guard renderer.geometry.projection.usesCamera else {
      throw Failure(
        .usage, "cannot draw the grid", cause: "the projection is flat", remedy: "add --projection equirectangular")
    }
    let isPlanet = renderer.geometry.projection == .littlePlanet
    renderer.overlays.append(
      try renderer.makeOverlay(fragment: isPlanet ? Shaders.planetGraticuleFragment : Shaders.graticuleFragment))
  }
}
