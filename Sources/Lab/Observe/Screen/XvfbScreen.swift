import FoundationEssentials
import Frames
import Glibc
import Host

/// A private display: an Xvfb whose frame buffer is a file in memory, with a window manager that lets the window of any program fill the screen.
///
/// Reading a pixel is reading a byte of that file: no X request is made, and the server does no work for it. All ends with this process,
/// also when that is killed: a shell waits for the end of a pipe that this process keeps open.
package final class XvfbScreen: ScreenSource {
  package let name = "xvfb"
  package let timing =
    "the X server has drawn the pixels into its frame buffer; this display has no refresh of its own, so a panel's is not seen"
  package let size: PictureSize
  /// As `DISPLAY` has it: `:7`.
  package let display: String
  /// Why there is no window manager, as a sentence; nil if there is one.
  package let missingManager: String?

  /// In memory, with the frame buffer and the configuration; removed at the end.
  package let folder: String
  private let shell: pid_t
  /// Its end is the end of the display.
  private let lifeline: FileDescriptor
  nonisolated(unsafe) private let screen: UnsafeRawBufferPointer

  /// - Throws: `.failed` where Xvfb is missing or does not start.
  package init(size: PictureSize) throws(Failure) {
    let attempt = "cannot make a private display of \(size)"
    folder = try Self.makeFolder(attempt)
    let manager = Self.hasProgram("openbox")
    missingManager = manager ? nil : "there is no window manager: install Debian's openbox"
    let server: (display: String, shell: pid_t, lifeline: FileDescriptor)
    do throws(Failure) {
      guard Self.hasProgram("Xvfb") else {
        throw Failure(.failed, attempt, cause: "there is no program Xvfb", remedy: "install Debian's xvfb")
      }
      try Self.writeConfiguration(of: folder, attempt)
      server = try Self.start(size, in: folder, managed: manager, attempt)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    (display, shell, lifeline) = server
    self.size = size
    guard let screen = Self.mapped(folder + "/Xvfb_screen0"), Self.fits(screen, size) else {
      close(lifeline.release())
      try? FileManager.default.removeItem(atPath: folder)
      throw Failure(
        .failed, attempt, cause: "Xvfb's frame buffer is not one of 32 bits that holds it",
        remedy: "choose a smaller --size")
    }
    self.screen = screen
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: screen.baseAddress), screen.count)
    close(lifeline.release())
    var status: Int32 = 0
    while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    try? FileManager.default.removeItem(atPath: folder)
  }

  package func reader(of pixels: [(x: Int, y: Int)]) -> @Sendable (inout [UInt8]) -> Void {
    // An X window dump: big-endian words, then the colour table, then rows of BGRX.
    let (start, stride) = (Self.word(0, screen) + Self.word(19, screen) * 12, Self.word(12, screen))
    let offsets = pixels.map { start + $0.y * stride + $0.x * 4 + 1 }
    return { [self] luma in
      for (index, offset) in offsets.enumerated() { luma[index] = screen[offset] }
    }
  }

  // MARK: Starting it

  /// Prints the display's number once the window manager is there.
  private static let script = """
    mkfifo "$2/number" "$2/ready"
    Xvfb -displayfd 3 -screen 0 "$1" -fbdir "$2" -nolisten tcp -nocursor -noreset 3>"$2/number" >/dev/null 2>&1 &
    server=$!
    read -r number <"$2/number" || exit 1
    export DISPLAY=":$number"
    if [ -n "$3" ]; then
      { openbox --config-file "$3" --startup "sh -c 'echo >$2/ready'"; echo >"$2/ready"; } >/dev/null 2>&1 &
      read -r line <"$2/ready"
    fi
    rm "$2/number" "$2/ready"
    echo "$number"
    exec >/dev/null
    cat >/dev/null
    kill "$server"
    wait
    """

  private static func start(
    _ size: PictureSize, in folder: String, managed: Bool, _ attempt: String
  ) throws(Failure) -> (String, pid_t, FileDescriptor) {
    do {
      let input = try Spawn.pipe()
      let output = try Spawn.pipe()
      defer {
        close(input.reading)
        close(output.reading)
      }
      let shell = try Spawn.start(
        "/bin/sh",
        [
          "/bin/sh", "-c", script, "sh", "\(size.width)x\(size.height)x24", folder,
          managed ? folder + "/rc.xml" : "",
        ], environment: ProcessInfo.processInfo.environment,
        Spawn.Streams(input: input.reading, output: output.writing), .ownSession)
      close(output.writing)
      let lifeline = FileDescriptor(owning: input.writing)
      var number = ""
      while !number.hasSuffix("\n") {
        var byte: UInt8 = 0
        guard read(output.reading, &byte, 1) == 1 else {
          throw Failure(
            .failed, attempt, cause: "Xvfb does not start", remedy: "try 'Xvfb :99' by hand")
        }
        number.append(Character(UnicodeScalar(byte)))
      }
      return (":" + number.dropLast(), shell, lifeline)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(
        .failed, attempt, cause: "no process could be started for it: \((error as? SystemError)?.reason ?? "\(error)")",
        remedy: "end other programs, or raise the limits of processes and open files (ulimit -u, ulimit -n)")
    }
  }

  /// In memory: a disk would write the frame buffer out.
  private static func makeFolder(_ attempt: String) throws(Failure) -> String {
    let parents = ["/dev/shm/", temporaryFolder]
    for parent in parents {
      var template = Array((parent + "bench360-observe-XXXXXX").utf8CString)
      if mkdtemp(&template) != nil {
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    throw Failure(
      .output, attempt, cause: "no folder can be made in \(parents.map { "'\($0)'" }.joined(separator: " or "))",
      remedy: "set TMPDIR to a folder that can be written")
  }

  /// No frames around windows, and each as large as the screen.
  private static func writeConfiguration(of folder: String, _ attempt: String) throws(Failure) {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <openbox_config xmlns="http://openbox.org/3.4/rc">
        <placement><policy>Smart</policy></placement>
        <applications>
          <application class="*">
            <decor>no</decor>
            <position force="yes"><x>0</x><y>0</y></position>
            <maximized>yes</maximized>
            <focus>yes</focus>
          </application>
        </applications>
      </openbox_config>

      """
    do {
      try Data(text.utf8).write(to: URL(filePath: folder + "/rc.xml"))
    } catch {
      throw Failure(
        .output, attempt, cause: "'\(folder)' cannot be written", remedy: "set TMPDIR to a folder that can be written")
    }
  }

  private static func hasProgram(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  private static func mapped(_ file: String) -> UnsafeRawBufferPointer? {
    guard let file = try? OpenFile(reading: file) else { return nil }
    let size = Int(lseek(file.descriptor.rawValue, 0, SEEK_END))
    guard size > 100, let start = mmap(nil, size, PROT_READ, MAP_SHARED, file.descriptor.rawValue, 0),
      start != MAP_FAILED
    else { return nil }
    return UnsafeRawBufferPointer(start: start, count: size)
  }

  private static func word(_ index: Int, _ screen: UnsafeRawBufferPointer) -> Int {
    Int(UInt32(bigEndian: screen.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
  }

  private static func fits(_ screen: UnsafeRawBufferPointer, _ size: PictureSize) -> Bool {
    let start = word(0, screen) + word(19, screen) * 12
    return word(7, screen) == 0 && word(11, screen) == 32 && word(4, screen) == size.width
      && word(5, screen) == size.height && start + word(12, screen) * size.height <= screen.count
  }
}
