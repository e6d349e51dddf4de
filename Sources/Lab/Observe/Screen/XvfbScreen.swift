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
  /// The value of `DISPLAY` for its clients: `:7`.
  package let display: String
  /// Why there is no window manager, as a sentence; nil if there is one.
  package let missingManager: String?
  /// The path of the frame buffer's folder.
  package let folder: String

  private let server: PrivateServer
  nonisolated(unsafe) private let screen: UnsafeRawBufferPointer

  /// - Throws: `.failed` where Xvfb is missing or does not start.
  package init(size: PictureSize) throws(Failure) {
    let attempt = "cannot make a private display of \(size)"
    guard executable("Xvfb") != nil else {
      throw Failure(.failed, attempt, cause: "there is no program Xvfb", remedy: "install Debian's xvfb")
    }
    let hasManager = executable("openbox") != nil
    missingManager = hasManager ? nil : "there is no window manager, so that windows may not fill the screen"
    // In memory: a disk would write the frame buffer out.
    let folder = try PrivateFolder(attempt, in: ["/dev/shm/", temporaryFolder])
    try Self.writeConfiguration(of: folder, attempt)
    do {
      server = try PrivateServer(
        Self.script, ["\(size.width)x\(size.height)x24", hasManager ? folder.path + "/rc.xml" : ""], in: folder)
    } catch {
      throw Failure(
        .failed, attempt, cause: "no process could be started for it: \(error.reason)",
        remedy: "end other programs, or raise the limits of processes and open files (ulimit -u, ulimit -n)")
    }
    guard !server.firstLine.isEmpty else {
      throw Failure(.failed, attempt, cause: "Xvfb does not start", remedy: "try 'Xvfb :99' by hand")
    }
    display = ":" + server.firstLine
    self.size = size
    guard let screen = Self.mapped(folder.path + "/Xvfb_screen0"), Self.fits(screen, size) else {
      throw Failure(
        .failed, attempt, cause: "Xvfb's frame buffer is not one of 32 bits that holds it",
        remedy: "choose a smaller --size")
    }
    self.screen = screen
    self.folder = folder.path
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: screen.baseAddress), screen.count) }

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
    mkfifo "$1/number" "$1/ready"
    Xvfb -displayfd 3 -screen 0 "$2" -fbdir "$1" -nolisten tcp -nocursor -noreset 3>"$1/number" >/dev/null 2>&1 &
    server=$!
    read -r number <"$1/number" || exit 1
    export DISPLAY=":$number"
    if [ -n "$3" ]; then
      { openbox --config-file "$3" --startup "sh -c 'echo >$1/ready'"; echo >"$1/ready"; } >/dev/null 2>&1 &
      read -r line <"$1/ready"
    fi
    rm "$1/number" "$1/ready"
    echo "$number"
    exec >/dev/null
    cat >/dev/null
    kill "$server"
    wait
    """

  /// No frames around windows, and each as large as the screen.
  private static func writeConfiguration(of folder: PrivateFolder, _ attempt: String) throws(Failure) {
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
      try Data(text.utf8).write(to: URL(filePath: folder.path + "/rc.xml"))
    } catch {
      throw Failure(
        .output, attempt, cause: "'\(folder.path)' cannot be written",
        remedy: "set TMPDIR to a folder that can be written")
    }
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
