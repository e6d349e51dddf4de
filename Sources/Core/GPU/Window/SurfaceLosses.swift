/// When a device that shows pictures, or its surface, seems lost: for tests of what follows a loss, which no driver gives
/// when asked. Any thread.
package protocol SurfaceLosses: Sendable {
  /// Asked before each submission; true: it fails as if the device was lost.
  func losesDevice() -> Bool
  /// Asked before each present; true: it fails as if the surface was lost.
  func losesSurface() -> Bool
}
