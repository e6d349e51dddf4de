extension Metric {
  /// Every metric, in the order in which reports list them.
  public static let all: [Metric] = stages + pacing + startupAndSeeking + looking + quality + resources

  private static let stages = [
    Metric("demux_ms", "ms", .low, .distribution, "Time to read this frame's packets from the container."),
    Metric(
      "decode_latency_ms", "ms", .low, .distribution,
      "Packet handed to the decoder → its frame received, less the time its consumer kept the decoder waiting."),
    Metric(
      "decode_service_ms", "ms", .low, .distribution,
      "Time per frame of a decoder that never waits for its consumer, over groups of as many frames as threads."),
    Metric(
      "decoder_delay_frames", "count", .low, .value, "Packets accepted before the first frame comes out."),
    Metric(
      "decode_fps", "1/s", .high, .value,
      "All frames of the trial ÷ (first packet sent → last frame out), unpaced, at least 100 frames and 1 s."),
    Metric(
      "pipeline_fps", "1/s", .high, .value,
      "All frames of the trial ÷ (first packet sent → last frame's GPU work complete), unpaced, "
        + "at least 100 frames and 1 s."),
    Metric("upload_cpu_ms", "ms", .low, .distribution, "CPU time spent moving rows; 0 with direct and shared upload."),
    Metric(
      "upload_gpu_ms", "ms", .low, .distribution, "GPU timestamps around the copy; none where nothing is uploaded."),
    Metric(
      "render_gpu_ms", "ms", .low, .distribution,
      "GPU timestamps around the draw or dispatch; on a CPU device wall time shared with the decoder."),
  ]

  private static let pacing = [
    Metric("frame_interval_ms", "ms", .neutral, .distribution, "Time between successive presents."),
    Metric(
      "display_interval_ms", "ms", .neutral, .distribution,
      "Time between successive changes of the picture on the display; unknown without a present source."),
    Metric(
      "frame_overrun_ms", "ms", .low, .distribution,
      "Frame ready (GPU work complete) − its deadline; positive is missed."),
    Metric("presented", "count", .neutral, .counter, "Frames shown."),
    Metric("dropped", "count", .neutral, .counter, "Frames decoded whose time had passed before they could be shown."),
    Metric(
      "skipped", "count", .neutral, .counter,
      "Frames deliberately not decoded or not shown: seek discard, rate reduction, frames that no refresh can show."),
    Metric(
      "repeated", "count", .neutral, .counter,
      "Refreshes that showed the previous frame though a new one was due."),
    Metric("late", "count", .neutral, .counter, "Frames shown one or more refreshes after their target."),
    Metric("stalls", "count", .zero, .counter, "Times the queue ran empty while playing."),
    Metric("stall_ms", "ms", .zero, .distribution, "Queue empty while playing → it plays again."),
    Metric("drop_runs", "frames", .low, .histogram, "Lengths of runs of consecutive drops."),
    Metric(
      "roughness_ms", "ms", .low, .value,
      "95th percentile over one-second windows of the RMS of the accumulated error of frame durations, "
        + "stalls left out."),
    Metric(
      "roughness_ideal_ms", "ms", .low, .value,
      "The roughness that perfect pacing of this clip on this refresh rate would have."),
    Metric("freezing_ms", "ms", .low, .value, "Largest single-frame error of duration in the trial."),
    Metric("tick_jitter_ms", "ms", .low, .distribution, "Display-link callback − its due time."),
    Metric("queue_depth", "frames", .neutral, .distribution, "Decoded frames waiting, at each tick."),
  ]

  private static let startupAndSeeking = [
    Metric(
      "ttff_ms", "ms", .low, .value,
      "Parent's stamp just before the process is spawned → first frame presented."),
    Metric(
      "phases", "ms", .low, .phases,
      "The parts of ttff_ms: those of its critical path add up to it, what ran beside them is listed apart."),
    Metric(
      "seek_latency_ms", "ms", .low, .distribution,
      "Seek requested → the frame of this seek presented; superseded seeks are counted, not timed."),
    Metric("seek_error_ms", "ms", .zero, .distribution, "Landed presentation time − requested time."),
    Metric(
      "out_of_tolerance", "count", .zero, .counter,
      "Landings whose interval [pts, pts + duration) does not meet the tolerance window."),
    Metric(
      "scrub_lag_ms", "ms", .low, .distribution,
      "Age of the hand's position that the picture on screen shows, at each tick of a drag."),
    Metric("frames_decoded_per_seek", "count", .low, .distribution, "Frames decoded to serve one seek."),
    Metric("seeks_issued", "count", .low, .counter, "Seeks handed to the decoder."),
    Metric("seeks_coalesced", "count", .low, .counter, "Seeks replaced by a newer target before they started."),
  ]

  private static let looking = [
    Metric(
      "input_latency_ms", "ms", .low, .distribution,
      "A hand does something to the view → the first picture that shows it is ready (GPU work complete)."),
    Metric(
      "over_one_refresh", "count", .low, .counter,
      "Such events that took longer than from one refresh to the next and the time of the picture that shows them."),
    Metric("views", "count", .neutral, .counter, "Pictures drawn: of a new frame, or of another direction."),
  ]

  private static let quality = [
    Metric(
      "animation_error_ms", "ms", .low, .distribution,
      "Δ media or view time used for the frame − Δ time between displays."),
    Metric(
      "ws_psnr_db", "dB", .high, .distribution,
      "Rendered view against the double-precision reference, weighted by the sphere."),
    Metric(
      "max_error", "code values", .low, .distribution,
      "Largest difference of the rendered view from the double-precision reference."),
    Metric(
      "wrong_frame", "count", .zero, .counter,
      "Frames whose picture carried another number than the one claimed; known for synthetic clips only."),
  ]

  private static let resources = [
    Metric("peak_rss_mib", "MiB", .neutral, .value, "Largest resident set of the trial's process."),
    Metric("gpu_memory_mib", "MiB", .neutral, .value, "Most device memory that the trial's process held."),
    Metric("cpu_seconds", "s", .neutral, .value, "User and system time of the trial's process."),
    Metric("gpu_busy_pct", "%", .neutral, .distribution, "Share of time the device was busy, per reading."),
    Metric("gpu_clock_mhz", "MHz", .neutral, .distribution, "Clock of the device's shader cores, per reading."),
    Metric("power_w", "W", .neutral, .distribution, "Power drawn by the device, per reading."),
  ]
}
