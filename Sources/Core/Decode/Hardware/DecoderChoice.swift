/// The decoder, as `--decoder` and the record name it; nil is `auto` where it may be left open.
public enum DecoderChoice: String, Sendable, Hashable, Codable, CaseIterable {
  /// libavcodec on the CPU.
  case software
  /// NVIDIA's video engine, by FFmpeg's NVDEC.
  case cuda
  /// The video engine of an Intel or AMD GPU, by VA-API.
  case vaapi
  /// Vulkan Video, by FFmpeg 6.1 or newer.
  case vulkan
}
