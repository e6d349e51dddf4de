import Foundation
import Frames
import GPU

/// The Vulkan device tests draw with: validation on, any kind of device.
public enum TestDevice {
  private static let opened: Result<GPUDevice, Failure> = {
    do throws(Failure) {
      return .success(try GPUDevice("auto", validate: true))
    } catch {
      return .failure(error)
    }
  }()

  /// Where a device must exist, a missing one fails tests instead of skipping them.
  public static var isAvailable: Bool {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    if case .success = opened { return true }
    return false
  }

  public static func device() throws(Failure) -> GPUDevice { try opened.get() }

  /// Messages of the validation layer so far; every test expects none.
  public static func validationMessages() throws(Failure) -> [String] {
    try device().instance.validation.messages
  }
}
