internal import CGLFW
import Frames

extension Window {
  /// Events since the last `poll` or `wait`, in order; does not wait.
  public func poll() -> [WindowEvent] {
    glfwPollEvents()
    return take()
  }

  /// As `poll`, but waits for an event, for `WindowSystem.wake`, or at most `seconds`.
  public func wait(timeout seconds: Double) -> [WindowEvent] {
    waitForEvents(timeout: seconds)
    return take()
  }

  /// Waits likewise, and leaves the events to the next `poll` or `wait`.
  public func waitForEvents(timeout seconds: Double) {
    if events.isEmpty { glfwWaitEventsTimeout(max(seconds, 1e-3)) }
  }

  private func take() -> [WindowEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Starts recording the window's events.
  func listen() {
    glfwSetWindowUserPointer(handle, Unmanaged.passUnretained(self).toOpaque())
    listenToKeys()
    listenToPointer()
    _ = glfwSetFramebufferSizeCallback(handle) { handle, width, height in
      note(.resized(width: Int(width), height: Int(height)), handle)
    }
    _ = glfwSetWindowFocusCallback(handle) { handle, has in note(.focused(has == GLFW_TRUE), handle) }
    _ = glfwSetWindowIconifyCallback(handle) { handle, now in note(.minimised(now == GLFW_TRUE), handle) }
    _ = glfwSetWindowCloseCallback(handle) { handle in
      // The reader of the event closes the window.
      glfwSetWindowShouldClose(handle, GLFW_FALSE)
      note(.closeRequested, handle)
    }
    _ = glfwSetDropCallback(handle) { handle, count, paths in
      guard let paths else { return }
      note(.drop((0..<Int(count)).compactMap { paths[$0].map { String(cString: $0) } }), handle)
    }
  }

  private func listenToKeys() {
    _ = glfwSetKeyCallback(handle) { handle, code, _, action, modifiers in
      guard let action = KeyAction(rawValue: action) else { return }
      note(.key(Key(rawValue: code) ?? .unknown, action, Modifiers(rawValue: modifiers)), handle)
    }
    _ = glfwSetCharCallback(handle) { handle, code in
      if let scalar = Unicode.Scalar(code) { note(.character(scalar), handle) }
    }
  }

  private func listenToPointer() {
    _ = glfwSetCursorPosCallback(handle) { handle, x, y in
      guard let window = window(handle) else { return }
      let scale = window.pixelsPerPoint
      window.events.append(.pointerMoved(PointerPlace(x: x * scale, y: y * scale)))
    }
    _ = glfwSetCursorEnterCallback(handle) { handle, has in
      note(has == GLFW_TRUE ? .pointerEntered : .pointerLeft, handle)
    }
    _ = glfwSetMouseButtonCallback(handle) { handle, button, action, modifiers in
      note(
        .button(PointerButton(button), isPressed: action == GLFW_PRESS, Modifiers(rawValue: modifiers)), handle)
    }
    _ = glfwSetScrollCallback(handle) { handle, right, up in note(.scroll(right: right, up: up), handle) }
  }
}

/// The window that a callback is for.
private func window(_ handle: OpaquePointer?) -> Window? {
  handle.flatMap { glfwGetWindowUserPointer($0) }.map { Unmanaged<Window>.fromOpaque($0).takeUnretainedValue() }
}

private func note(_ event: WindowEvent, _ handle: OpaquePointer?) {
  window(handle)?.events.append(event)
}
