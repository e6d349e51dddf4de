internal import COpenAL
import Frames

/// What a layout is to OpenAL: the format of its buffers, and the order and scale of the samples in them.
enum OpenALFormat: Sendable, Hashable {
  /// Mixed to two channels that go to the ears as they are.
  case stereo(SoundLayout)
  case surround51
  /// OpenAL has the backs before the sides.
  case surround71
  /// B-format with Furse and Malham's scale and order: W / √2, X, Y, Z. The listener's orientation turns it.
  case ambisonic
  /// `ambisonic`, and a second source for the two channels that do not turn.
  case ambisonicAndStereo

  /// - Parameters:
  ///   - hasSurround: the library has `AL_EXT_MCFORMATS`.
  ///   - hasAmbisonics: it has `AL_EXT_BFORMAT`, and plays by HRTF. On loudspeakers OpenAL Soft 1.19.1 drops what a channel is to subtract,
  ///     so that all that is not on the left is heard on the right: there our own microphones are used.
  init(_ layout: SoundLayout, hasSurround: Bool, hasAmbisonics: Bool) {
    switch layout {
    case .surround51 where hasSurround: self = .surround51
    case .surround71 where hasSurround: self = .surround71
    case .ambisonic where hasAmbisonics: self = .ambisonic
    case .ambisonicAndStereo where hasAmbisonics: self = .ambisonicAndStereo
    default: self = .stereo(layout)
    }
  }

  /// Of the first source's buffers.
  var buffer: ALenum {
    switch self {
    case .stereo: AL_FORMAT_STEREO_FLOAT32
    case .surround51: AL_FORMAT_51CHN32
    case .surround71: AL_FORMAT_71CHN32
    case .ambisonic, .ambisonicAndStereo: AL_FORMAT_BFORMAT3D_FLOAT32
    }
  }

  var hasLockedSource: Bool { self == .ambisonicAndStereo }

  /// Whether the first source goes to the ears as it is.
  var isDirect: Bool { if case .stereo = self { true } else { false } }

  /// The first source's samples, and the second's.
  func converted(_ samples: [Float], mixer: inout SoundMixer) -> (main: [Float], locked: [Float]) {
    switch self {
    case .stereo(.stereo), .surround51: return (samples, [])
    case .stereo: return (mixer.stereo(samples), [])
    case .surround71: return (Self.reordered(samples, channels: 8, [0, 1, 2, 3, 6, 7, 4, 5]), [])
    case .ambisonic: return (AmbisonicRotation.furseMalham(samples, channels: 4), [])
    case .ambisonicAndStereo:
      return (AmbisonicRotation.furseMalham(samples, channels: 6), Self.reordered(samples, channels: 6, [4, 5]))
    }
  }

  private static func reordered(_ samples: [Float], channels: Int, _ order: [Int]) -> [Float] {
    stride(from: 0, to: samples.count, by: channels).flatMap { place in order.map { samples[place + $0] } }
  }
}
