import Frames
import GPU
import Render

/// Meridians and parallels over a spherical view, every 15°.
public enum Graticule {
  /// Adds the lines to all views that `renderer` draws from now on. The renderer's thread.
  ///
  /// Throws `.usage` for a flat projection, else `.device`; the renderer stays usable, without lines.
  public static func add(to renderer: ViewRenderer) throws(Failure) {
    guard renderer.geometry.projection.usesCamera else {
      throw Failure(
        .usage, "cannot draw the grid", cause: "the projection is flat", remedy: "add --projection equirectangular")
    }
    let isPlanet = renderer.geometry.projection == .littlePlanet
    renderer.overlays.append(
      try renderer.makeOverlay(
        fragment: isPlanet ? OverlayShaders.planetGraticuleFragment : OverlayShaders.graticuleFragment))
  }
}
