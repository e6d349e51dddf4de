import Frames
import Glibc
import Testing

@Suite struct DeviceIdentityTests {
  @Test func pciAddressesAreParsed() {
    let address = PCIAddress("0000:65:00.0")
    #expect(address == PCIAddress(domain: 0, bus: 0x65, device: 0, function: 0))
    #expect(address?.description == "0000:65:00.0")
    #expect(PCIAddress("10000:01:1f.7")?.description == "10000:01:1f.7")
    for text in ["", "card0", "65:00.0", "0000:65:00", "0000:65:20.0", "0000:65:00.8", "0000:165:00.0", "0000.65.00:x"]
    {
      #expect(PCIAddress(text) == nil, "'\(text)'")
    }
  }

  @Test func descriptorIsClosedOnceByItsOwner() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    var one: FileDescriptor? = FileDescriptor(owning: ends[0])
    let two = try #require(one?.duplicate())
    #expect(two.identity == one?.identity && two.identity != nil && two.rawValue != ends[0])
    one = nil
    #expect(fcntl(ends[0], F_GETFD) == -1, "the first goes with its last reference")
    let given = two.release()
    #expect(two.release() == -1 && two.rawValue == -1 && fcntl(given, F_GETFD) >= 0, "a released descriptor stays open")
    close(given)
    let other = FileDescriptor(owning: ends[1])
    #expect(other.byteCount == nil && FileDescriptor(duplicating: -1) == nil)
  }

  /// A child process started meanwhile inherits neither descriptor.
  @Test func duplicatesAreNotInherited() throws {
    let file = try #require(fopen("/dev/null", "r"))
    defer { fclose(file) }
    let one = try #require(FileDescriptor(duplicating: fileno(file)))
    let two = try #require(one.duplicate())
    for copy in [one, two] { #expect(fcntl(copy.rawValue, F_GETFD) == FD_CLOEXEC) }
  }

  @Test func descriptorsReportIdentityAndSize() throws {
    let files = try [0, 4097].map { size in
      let file = try #require(tmpfile())
      defer { fclose(file) }
      try #require(ftruncate(fileno(file), size) == 0)
      return try #require(FileDescriptor(duplicating: fileno(file)))
    }
    #expect(files.map(\.byteCount) == [0, 4097])
    #expect(files[0].identity != files[1].identity && files[1].identity == files[1].duplicate()?.identity)
  }
}
