import Decode
import Frames
import Support
import Testing

/// Who decodes, on a machine that may have hardware decoders or not.
@Suite struct DecoderDecisionTests {
  private static let nothing = PictureSharing(
    device: DeviceIdentity(index: 0, uuid: Array(repeating: 7, count: 16)), exportsPictures: false,
    importsDMABufs: false)
  private static let everything = PictureSharing(
    device: DeviceIdentity(index: 0, uuid: Array(1...16)), exportsPictures: true, importsDMABufs: true)

  @Test func everyChoiceHasAReport() {
    let reports = DecoderReport.all(on: nil, sharing: nil)
    #expect(reports.map(\.name) == DecoderChoice.allCases && reports[0].obstacle == nil)
    for report in reports.dropFirst() {
      #expect(report.obstacle != "" && !report.sharesMemory, "no device, no sharing")
      if report.obstacle == nil { #expect(report.codecs?.contains("h264") == true) }
    }
    // No GPU has this number: there is no device to share with.
    for report in DecoderReport.all(on: Self.everything.device, sharing: Self.everything) {
      #expect(report.obstacle == nil || !report.sharesMemory, "\(report)")
    }
  }

  @Test(arguments: DecoderChoice.allCases.filter { $0 != .software })
  func whatIsNotThereIsRefusedInASentence(choice: DecoderChoice) {
    let report = DecoderReport.all(on: nil, sharing: nil).first { $0.name == choice }
    do throws(Failure) {
      let decision = try DecoderDecision(choice, codec: "h264", sharing: nil, path: "x.mp4")
      #expect(decision == (try DecoderDecision(choice, codec: "h264", sharing: nil, path: "x.mp4")))
      #expect(decision.choice == choice && decision.reason == nil && report?.obstacle == nil)
    } catch {
      #expect(error.kind == .unsupported && error.cause == report?.obstacle)
      #expect(error.attempt == "cannot decode 'x.mp4' with \(choice.rawValue)")
      #expect(error.remedy?.contains("--decoder software") == true)
      let named = ["libcuda.so.1", "libnvcuvid.so.1", "CUDA", "/dev/dri", "VA-API", "libva", "6.1", "built without"]
      #expect(named.contains { error.cause.contains($0) }, "it names what is missing: \(error)")
    }
  }

  @Test(arguments: DecoderChoice.allCases.filter { $0 != .software })
  func noHardwareDecodesEveryCodec(choice: DecoderChoice) {
    let error = failure { _ = try DecoderDecision(choice, codec: "huffyuv", sharing: nil, path: "x.avi") }
    #expect(error?.kind == .unsupported)
    #expect(
      ["does not decode huffyuv", "built without", "no Vulkan decoders"].contains { error?.cause.contains($0) == true },
      "\(error.map(\.description) ?? "no error")")
  }

  /// A device takes up to a second to open. `auto` has to open it to know, and so has a run that asks before its trials.
  @Test(arguments: [DecoderChoice?.some(.vaapi), nil], [true, false])
  func aDeviceThatIsOpenedNextIsNotOpenedToAsk(wanted: DecoderChoice?, opensNext: Bool) throws {
    var opened = 0
    let candidate = DecoderCandidate(
      .vaapi,
      obstacleToOpening: {
        opened += 1
        return nil
      })
    let decision = try DecoderDecision(wanted, [candidate], isShared: true, opensNext: opensNext, path: "x.mp4")
    #expect(decision.choice == .vaapi)
    #expect(opened == (wanted != nil && opensNext ? 0 : 1))
  }

  @Test func softwareNeedsNothing() throws {
    for codec in ["h264", "no such codec"] {
      let decision = try DecoderDecision(.software, codec: codec, sharing: Self.everything, path: "x.mp4")
      #expect(decision.choice == .software && decision.reason == nil)
    }
  }

  /// Left to us, a decoder that would copy back is not taken, and the reason names them all.
  @Test func autoTakesHardwareOnlyWhereItsFramesAreShared() throws {
    let alone = try DecoderDecision(nil, codec: "h264", sharing: nil, path: "x.mp4")
    #expect(alone.choice == .software && alone.reason?.isEmpty == false)
    let without = try DecoderDecision(nil, codec: "h264", sharing: Self.nothing, path: "x.mp4")
    #expect(without.choice == .software)
    for name in [
      "cuda: the device does not export", "vaapi: the device does not import",
      "vulkan: the device's Vulkan driver decodes no video",
    ] {
      #expect(without.reason?.contains(name) == true, "\(without.reason ?? "")")
    }
    // No GPU has this number.
    let strange = try DecoderDecision(nil, codec: "h264", sharing: Self.everything, path: "x.mp4")
    #expect(strange.choice == .software && strange.reason?.contains("cuda: ") == true)
    #expect(strange.reason?.contains("vaapi: ") == true)
  }

  /// By Vulkan Video frames are shared where FFmpeg can work on the device that draws, and that decodes the codec.
  @Test func autoTakesVulkanForWhatTheDeviceDecodes() throws {
    var sharing = Self.nothing
    sharing.videoCodecs = ["hevc"]
    let other = try DecoderDecision(nil, codec: "h264", sharing: sharing, path: "x.mp4")
    #expect(other.choice == .software)
    #expect(other.reason?.contains("vulkan: the device's Vulkan driver does not decode h264") == true)
    let decision = try DecoderDecision(nil, codec: "hevc", sharing: sharing, path: "x.mp4")
    let report = try #require(DecoderReport.all(on: nil, sharing: sharing).first { $0.name == .vulkan })
    #expect((decision.choice == .vulkan) == (report.obstacle == nil) && report.sharesMemory == (report.obstacle == nil))
    if let obstacle = report.obstacle { #expect(decision.reason?.contains("vulkan: \(obstacle)") == true) }
  }

  @Test func devicesAreMatchedByUUID() {
    let (one, two): ([UInt8], [UInt8]) = (Array(1...16), Array(2...17))
    let zero = [UInt8](repeating: 0, count: 16)
    #expect(cudaOrdinal(of: two, among: [one, two]) == 1 && cudaOrdinal(of: one, among: [one, two]) == 0)
    #expect(cudaOrdinal(of: one, among: []) == nil && cudaOrdinal(of: one, among: [two, []]) == nil)
    #expect(cudaOrdinal(of: zero, among: [zero]) == nil, "a device that tells no number is not known by it")
    #expect(cudaOrdinal(of: [], among: [[]]) == nil)
  }

  @Test func devicesAreMatchedByNodeOrByTheBus() throws {
    let (intel, amd) = (try #require(PCIAddress("0000:00:02.0")), try #require(PCIAddress("0000:03:00.0")))
    let nodes = [
      RenderNode(path: "a", number: DeviceNumber(major: 226, minor: 128), pci: intel),
      RenderNode(path: "b", number: DeviceNumber(major: 226, minor: 129), pci: amd),
    ]
    func node(_ number: DeviceNumber?, _ pci: PCIAddress?) -> String? {
      RenderNode.of(DeviceIdentity(index: 0, uuid: [], pci: pci, renderNode: number), among: nodes)?.path
    }
    #expect(node(DeviceNumber(major: 226, minor: 129), nil) == "b" && node(nil, amd) == "b" && node(nil, intel) == "a")
    #expect(node(DeviceNumber(major: 226, minor: 128), amd) == "a", "the number is the driver's own word")
    #expect(node(DeviceNumber(major: 226, minor: 130), intel) == nil && node(nil, nil) == nil)
    #expect(RenderNode.of(nil, among: nodes)?.path == "a" && RenderNode.of(nil, among: []) == nil)
  }
}
