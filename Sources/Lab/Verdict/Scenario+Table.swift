/// A scenario: a key, and its row below, which holds all facts that other modules need. `Run` holds the
/// measurement.
///
/// In the order in which they run.
public enum Scenario: Sendable, CaseIterable {
  case decode, upload, render, pipeline, play, playlist, ads, startup, scrub, interaction, stream, density, observe
}

extension Scenario {
  package var row: Row {
    switch self {
    case .decode:
      Row(
        "decode",
        "decode only, unpaced, into the decoder's own memory; with a hardware decoder copied back to the CPU's",
        main: .decodeFPS, numbers: [.decodeLatency, .cpuTime], [], stage: .decode, frameTimes: [.decodeLatency],
        distributions: [.decodeLatency, .decodeService])
    case .upload:
      Row(
        "upload", "the pipeline with each way of uploading, side by side", main: .pipelineFPS,
        numbers: [.uploadCPU, .uploadGPU], [.device, .cameraMotion, .sideBySide], presents: .submitComplete,
        stage: .upload,
        distributions: [.frameInterval])
    case .render:
      Row(
        "render", "render only: frames decoded beforehand are drawn again and again", main: .renderGPU,
        numbers: [.weightedPSNR, .maxError], [.device, .cameraMotion], stage: .render, frameTimes: [.renderGPU],
        distributions: [.renderGPU])
    case .pipeline:
      Row(
        "pipeline", "decode, upload and render together, unpaced", main: .pipelineFPS,
        numbers: [.decodeLatency, .renderGPU], [.device, .cameraMotion], presents: .submitComplete,
        frameTimes: [.frameInterval, .renderGPU],
        distributions: [.frameInterval, .renderGPU])
    case .play:
      Row(
        "play", "at the pace of a display: what is seen on time, late, or never", main: .roughness,
        faults: [.avSync, .avDrift, .audioGap], numbers: [.dropped, .late],
        [.device, .cameraMotion, .refreshRate, .lookAhead, .window, .sound],
        presents: .submitComplete, pace: .frames,
        frameTimes: [.displayInterval, .frameInterval], distributions: [.frameOverrun, .renderGPU])
    case .playlist:
      Row(
        "playlist", "clips one after the other, each opened while the one before plays: the gaps between them",
        main: .clipGap, numbers: [.dropped, .late], [.device, .cameraMotion, .refreshRate, .lookAhead, .window],
        presents: .submitComplete, pace: .frames, distributions: [.clipGap])
    case .ads:
      Row(
        "ads", "a clip with ads before, within and after it: the gaps from one to the other",
        main: .clipGap, faults: [.adsFailed], numbers: [.adsPlayed, .dropped],
        [.device, .cameraMotion, .refreshRate, .lookAhead, .window, .ads], presents: .submitComplete, pace: .frames,
        distributions: [.clipGap])
    case .startup:
      Row(
        "startup", "time to first frame in a fresh process, by phases", main: .timeToFirstFrame,
        numbers: [.cpuTime, .peakRSS], [.device, .phases], presents: .submitComplete, trialFactor: 3)
    case .scrub:
      Row(
        "scrub", "jumps, drags and single steps to a place, by how exact they must be", main: .seekLatency,
        numbers: [.scrubLag, .framesDecodedPerSeek], [.device, .cameraMotion, .refreshRate], presents: .submitComplete,
        spreads: [
          Spread(.seekLatency, "Seek latency", "exact above, nearest sync sample below"),
          Spread(.scrubLag, "How far the picture lags behind a dragging hand", "at each refresh"),
        ])
    case .interaction:
      Row(
        "interaction", "a hand on the view: from what it does to the picture that shows it", main: .inputLatency,
        numbers: [.overOneRefresh, .views], [.device, .cameraMotion, .refreshRate, .inputEvents, .sound],
        presents: .submitComplete, pace: .views,
        distributions: [.inputLatency],
        spreads: [
          Spread(.inputLatency, "From a hand's move to the picture that shows it", "by what the hand does")
        ])
    case .stream:
      Row(
        "stream", "an HLS or DASH stream over a network: rungs, stalls, requests and bytes", main: .qoeLinear,
        faults: [.avSync, .avDrift, .audioGap], numbers: [.meanBitrate, .rebufferRatio, .timeToFirstFrame],
        [.device, .cameraMotion, .refreshRate, .lookAhead, .window, .phases, .network, .sound],
        presents: .submitComplete, pace: .frames,
        frameTimes: [.displayInterval, .frameInterval], distributions: [.throughput, .bufferAhead])
    case .density:
      Row(
        "density", "the clip many times at once: how many of them decode and draw in real time", main: .streamsMax,
        numbers: [.streamLate, .streamCPU], [.device, .cameraMotion, .refreshRate, .lookAhead, .several],
        presents: .submitComplete, distributions: [.frameOverrun, .decodeLatency])
    case .observe:
      Row(
        "observe", "any program that plays the clip, watched by the pixels of its screen", main: .roughness,
        faults: [.torn, .outOfOrder, .freezes], numbers: [.timeToFirstFrame, .dropped], [.outside],
        frameTimes: [.frameInterval], distributions: [.frameInterval, .lateness])
    }
  }
}
