import Frames
import Testing

/// Drivers' descriptions of surfaces, from valid to hostile ones.
@Suite struct DRMFrameTests {
  private static let size = PictureSize(width: 640, height: 360)
  private static let tiled: UInt64 = 0x0100_0000_0000_0002

  private static func object(_ bytes: Int = 1 << 20, modifier: UInt64 = tiled) -> DRMFrame.Object {
    DRMFrame.Object(descriptor: 3, byteCount: bytes, modifier: modifier)
  }

  private static func layer(_ format: String, _ planes: [DMABufPlane]) -> DRMFrame.Layer {
    DRMFrame.Layer(format: fourCC(format), planeCount: planes.count, planes: planes)
  }

  private static let luma = DMABufPlane(object: 0, offset: 0, pitch: 768)
  private static let chroma = DMABufPlane(object: 0, offset: 768 * 384, pitch: 768)

  private static func frame(_ objects: [DRMFrame.Object], _ layers: [DRMFrame.Layer]) -> DRMFrame {
    DRMFrame(objectCount: objects.count, objects: objects, layerCount: layers.count, layers: layers)
  }

  private static let usual = frame([object()], [layer("R8  ", [luma]), layer("GR88", [chroma])])

  @Test func oneObjectWithALayerForEachPlane() throws {
    let layout = try Self.usual.layout(format: .nv12, size: Self.size)
    #expect(layout.planes == [Self.luma, Self.chroma] && layout.objects == [Self.object()] && layout.format == .nv12)
  }

  @Test func anObjectForEachPlane() throws {
    let chroma = DMABufPlane(object: 1, offset: 0, pitch: 768)
    let frame = Self.frame(
      [Self.object(), Self.object(200_000)], [Self.layer("R8  ", [Self.luma]), Self.layer("GR88", [chroma])])
    let layout = try frame.layout(format: .nv12, size: Self.size)
    #expect(layout.planes == [Self.luma, chroma] && layout.objects.map(\.byteCount) == [1 << 20, 200_000])
  }

  @Test(arguments: [
    ("NV12", PictureFormat.nv12), ("P010", .p010), ("P012", .p016), ("P016", .p016),
  ]) func oneLayerOfBothPlanes(name: String, format: PictureFormat) throws {
    let pitch = format.isDeep ? 1536 : 768
    let planes = [
      DMABufPlane(object: 0, offset: 0, pitch: pitch), DMABufPlane(object: 0, offset: pitch * 384, pitch: pitch),
    ]
    let layout = try Self.frame([Self.object()], [Self.layer(name, planes)]).layout(format: format, size: Self.size)
    #expect(layout.planes == planes)
  }

  /// Memory may end after the last texel, with any pitch.
  @Test func theLastRowNeedNotFillItsPitch() throws {
    var frame = Self.usual
    let end = Self.chroma.offset + 768 * 179 + 640
    frame.objects[0].byteCount = end
    #expect(try frame.layout(format: .nv12, size: Self.size).planes == [Self.luma, Self.chroma])
    frame.objects[0].byteCount = end - 1
    Self.expectRefusal(frame, saying: "ends behind its memory of \(end - 1) bytes")
  }

  @Test func everyObjectIsChecked() throws {
    var frame = Self.usual
    frame.objects = (0..<4).map { _ in Self.object() }
    frame.objectCount = 4
    #expect(try frame.layout(format: .nv12, size: Self.size).objects.count == 4)
    frame.objects[3].modifier = 0x00ff_ffff_ffff_ffff
    Self.expectRefusal(frame, saying: "how its texels lie")
    // Entries beyond the count are ignored.
    frame.objectCount = 3
    #expect(try frame.layout(format: .nv12, size: Self.size).objects.count == 3)
  }

  @Test func tenBitsHaveTwiceTheBytes() throws {
    let luma = DMABufPlane(object: 0, offset: 0, pitch: 1280)
    let chroma = DMABufPlane(object: 0, offset: 1280 * 360, pitch: 1280)
    let layers = [Self.layer("R16 ", [luma]), Self.layer("GR32", [chroma])]
    let exact = Self.frame([Self.object(1280 * 540)], layers)
    #expect(try exact.layout(format: .p010, size: Self.size).planes == [luma, chroma])
    // One byte less, and the last row of chroma ends behind the memory.
    Self.expectRefusal(Self.frame([Self.object(1280 * 540 - 1)], layers), .p010, saying: "ends behind its memory")
    Self.expectRefusal(exact, .nv12, saying: "'R16 ' and 'GR32'")
    for plane in 0...1 {
      var narrow = exact
      narrow.layers[plane].planes[0].pitch = 1279
      Self.expectRefusal(narrow, .p010, saying: "pitch 1279")
    }
  }

  /// Offsets are not checked against an unknown size.
  @Test func unknownObjectSizesAreAccepted() throws {
    var frame = Self.usual
    frame.objects[0].byteCount = 0
    #expect(try frame.layout(format: .nv12, size: Self.size).planes.count == 2)
  }

  @Test func planesOfCompressionAreRefused() {
    var frame = Self.usual
    frame.layers[0].planeCount = 2
    frame.layers[0].planes.append(DMABufPlane(object: 0, offset: 900_000, pitch: 64))
    Self.expectRefusal(frame, saying: "compressed")
    var composed = Self.frame([Self.object()], [Self.layer("NV12", [Self.luma, Self.chroma, Self.luma, Self.chroma])])
    Self.expectRefusal(composed, saying: "4 planes")
    composed.layers[0].planeCount = 2
    composed.layers[0].planes.removeLast(3)
    Self.expectRefusal(composed, saying: "2 planes")
  }

  @Test func garbageIsRefused() {
    let changes: [(String, (inout DRMFrame) -> Void)] = [
      ("-1 objects", { $0.objectCount = -1 }), ("0 objects", { $0.objectCount = 0 }),
      ("5 objects", { $0.objectCount = 5 }), ("2 objects", { $0.objectCount = 2 }),
      ("-7 layers", { $0.layerCount = -7 }), ("3 layers", { $0.layerCount = 3 }),
      ("has no memory", { $0.objects[0].descriptor = -1 }), ("has no memory", { $0.objects[0].byteCount = -1 }),
      ("how its texels lie", { $0.objects[0].modifier = 0x00ff_ffff_ffff_ffff }),
      ("-2 planes", { $0.layers[0].planeCount = -2 }), ("object 1", { $0.layers[1].planes[0].object = 1 }),
      ("object -1", { $0.layers[0].planes[0].object = -1 }), ("offset -4", { $0.layers[0].planes[0].offset = -4 }),
      ("pitch 639", { $0.layers[0].planes[0].pitch = 639 }), ("pitch -768", { $0.layers[1].planes[0].pitch = -768 }),
      ("ends behind", { $0.layers[1].planes[0].offset = .max }),
      ("pitch \(Int.max)", { $0.layers[1].planes[0].pitch = .max }),
      ("ends behind", { $0.layers[1].planes[0].offset = 1 << 20 }),
      ("ends behind", { $0.objects[0].byteCount = 768 * 384 }),
      ("'YUYV'", { $0.layers[0].format = fourCC("YUYV") }), ("'RG88'", { $0.layers[1].format = fourCC("RG88") }),
      ("'????'", { $0.layers[0].format = 0x0102_0304 }), ("'R8  '", { $0.layerCount = 1 }),
    ]
    for (words, change) in changes {
      var frame = Self.usual
      change(&frame)
      Self.expectRefusal(frame, saying: words)
    }
  }

  private static func expectRefusal(_ frame: DRMFrame, _ format: PictureFormat = .nv12, saying words: String) {
    do throws(Failure) {
      _ = try frame.layout(format: format, size: size)
      Issue.record("'\(words)' is not refused")
    } catch {
      #expect(error.kind == .unsupported && error.cause.contains(words), "\(error)")
    }
  }
}
