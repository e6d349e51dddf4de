internal import CVulkan
import Frames
import Logging

/// Shows pictures in a window: hands out images to draw, presents them, and follows the window's size.
///
/// One thread at a time. Images that the window outgrew are kept until nothing uses them any more, which an image that
/// was shown and came back proves; nothing waits for that.
public final class Swapchain {
  /// Which picture a refresh takes.
  public enum Mode: String, Sendable, Codable, CaseIterable {
    /// Each picture at a refresh of its own, in order.
    case fifo
    /// The newest picture at each refresh.
    case mailbox
    /// At once, also in the middle of a refresh.
    case immediate
  }

  public let device: GPUDevice
  /// As asked for where the window system has it, else `fifo`, which all have.
  public let mode: Mode
  /// What the window shows; nil while there is nothing to show it in, as of a minimised window.
  public var size: PictureSize? { current?.size }
  /// How often its images were made: once, and at each change of the window's size.
  public private(set) var generations = 0
  private let surface: Surface
  private var wanted: (width: Int, height: Int)
  private var current: SwapchainImages?
  /// Which of the current images were presented: acquired again, such an image proves that all presents before its own ended.
  private var wasPresented: [Bool] = []
  private var retired: [SwapchainImages] = []
  /// The images no longer fit the window.
  private var isStale = true
  private var lastNumber: UInt64 = 0

  /// Presents that find no free image within this time are left out: the window is not visible.
  private static let patience: UInt64 = 250_000_000
  /// While the window is dragged to other sizes, images come faster than presents end.
  private static let retiredLimit = 3

  /// - Parameters:
  ///   - device: made for the window.
  ///   - size: the window's, in pixels.
  public init(device: GPUDevice, size: PictureSize, mode: Mode = .fifo) throws(Failure) {
    guard let surface = device.surface else {
      throw Failure(.usage, "cannot show pictures in a window", cause: "the device was not opened for one")
    }
    self.device = device
    self.surface = surface
    self.mode = surface.modes(device).contains(mode.vulkan) ? mode : .fifo
    wanted = (size.width, size.height)
    try remake()
  }

  deinit {
    if current != nil || !retired.isEmpty { device.waitForQueue() }
  }

  /// Whether `Present.wait` can tell when a picture was seen.
  public var tellsPresents: Bool { device.waitForPresent != nil }

  /// The window has this many pixels now; 0 either way: it is minimised.
  public func resize(width: Int, height: Int) {
    if (width, height) != wanted { isStale = true }
    wanted = (width, height)
  }

  /// An image that was handed out, to be presented.
  struct Acquired {
    let images: SwapchainImages
    let index: Int
    /// Presents of images from before this generation are over once its drawing is.
    let provesEnd: Bool

    var image: VkImage { images.images[index] }
    var drawn: VkSemaphore { images.drawn[index] }
  }

  /// Hands out the next image; nil when the window shows nothing, or no image came free in time.
  ///
  /// - Parameter ready: signalled when the image can be drawn.
  func acquire(signalling ready: VkSemaphore) throws(Failure) -> Acquired? {
    for _ in 0..<3 {
      if isStale { try remake() }
      guard let current else { return nil }
      var index: UInt32 = 0
      let result = vkAcquireNextImageKHR(device.handle, current.handle, Self.patience, ready, nil, &index)
      switch result {
      case VK_SUCCESS: break
      case VK_SUBOPTIMAL_KHR: try noteChange()
      case VK_TIMEOUT, VK_NOT_READY: return nil
      case VK_ERROR_OUT_OF_DATE_KHR:
        isStale = true
        continue
      default:
        try check(result, "show pictures in the window")
        return nil
      }
      return Acquired(images: current, index: Int(index), provesEnd: wasPresented[Int(index)])
    }
    return nil
  }

  /// Presents an image whose drawing was submitted; its number, from 1.
  func present(_ acquired: Acquired, _ arguments: CallArguments) throws(Failure) -> Present {
    lastNumber += 1
    var info = VkPresentInfoKHR()
    info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR
    info.waitSemaphoreCount = 1
    info.pWaitSemaphores = arguments.pointer(Optional(acquired.drawn))
    info.swapchainCount = 1
    info.pSwapchains = arguments.pointer(Optional(acquired.images.handle))
    info.pImageIndices = arguments.pointer(UInt32(acquired.index))
    if tellsPresents {
      var number = VkPresentIdKHR()
      number.sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR
      number.swapchainCount = 1
      number.pPresentIds = arguments.pointer(lastNumber)
      info.pNext = UnsafeRawPointer(arguments.pointer(number))
    }
    let result = device.present(&info)
    if acquired.images === current { wasPresented[acquired.index] = true }
    switch result {
    case VK_SUBOPTIMAL_KHR: try noteChange()
    case VK_ERROR_OUT_OF_DATE_KHR: isStale = true
    default: try check(result, "show pictures in the window")
    }
    return Present(number: lastNumber, images: acquired.images)
  }

  /// The GPU is done with an image's drawing.
  func finished(_ acquired: Acquired) {
    if acquired.provesEnd, acquired.images === current { retired.removeAll() }
  }

  /// Suboptimal images are remade where that helps: some drivers report them for the window's whole life.
  private func noteChange() throws(Failure) {
    if swapchainSize(try surface.capabilities(device), wanted: wanted) != size { isStale = true }
  }

  private func remake() throws(Failure) {
    let old = current
    guard let size = swapchainSize(try surface.capabilities(device), wanted: wanted) else {
      // Asked again at every present: the window system does not tell when the window comes back.
      retire(old)
      current = nil
      return
    }
    // Without images the newest ones that were retired still hold the surface.
    let made = try SwapchainImages(
      device: device, surface: surface, size: size, mode: mode.vulkan, replacing: old ?? retired.last)
    retire(old)
    current = made
    wasPresented = made.images.map { _ in false }
    generations += 1
    gpuLog.debug(
      "made swapchain images",
      metadata: ["size": "\(size)", "mode": "\(mode.rawValue)", "generation": "\(generations)"])
    isStale = false
  }

  private func retire(_ images: SwapchainImages?) {
    guard let images else { return }
    retired.append(images)
    guard retired.count > Self.retiredLimit else { return }
    device.waitForQueue()
    retired.removeFirst(retired.count - 1)
  }
}

extension Swapchain.Mode {
  fileprivate var vulkan: VkPresentModeKHR {
    switch self {
    case .fifo: VK_PRESENT_MODE_FIFO_KHR
    case .mailbox: VK_PRESENT_MODE_MAILBOX_KHR
    case .immediate: VK_PRESENT_MODE_IMMEDIATE_KHR
    }
  }
}
