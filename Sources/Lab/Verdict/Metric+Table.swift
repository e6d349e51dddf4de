/// A metric of a record: a key, and its row below. This is the only list of metrics.
///
/// Samples, counters, phases and histograms share the list, since all have a unique name, a unit, a polarity, a
/// sentence and a place in the order of reports; gates, histories and `Metrics.md` go through all of them. The row's
/// kind says where a number is kept: `add` of a trial is for distributions and values, `count` for counters, which a
/// test holds.
///
/// Names are a promise to scripts, and their order is that of reports. A changed definition raises the record's schema and
/// says so by `since`: what older records have under the name means something else.
public enum Metric: Sendable, CaseIterable {
  // Stages.
  case demux, decodeLatency, decodeService, bring, decoderDelay, decodeFPS, firstDecode, steadyFPS, decodedFrames,
    codedFrames, hiddenFrames, pipelineFPS, uploadCPU, uploadGPU, renderGPU
  // Pacing.
  case frameInterval, displayInterval, lowOnePercent, lowTenthPercent, frameOverrun, presented, dropped, skipped,
    repeated, late, stalls, stall,
    dropRuns, roughness, roughnessIdeal, freezing, tickJitter, queueDepth, clipGap, adsPlayed, adsFailed
  // On a screen that is watched from outside.
  case lateness, paint, torn, outOfOrder, freezes, freeze, unreadable, lastFrame, samplingError
  // Sound.
  case avSync, avDrift, audioGap, audioUnderruns, audioStart, soundTurn
  // Starting and seeking.
  case timeToFirstFrame, phases, seekLatency, seekError, outOfTolerance, scrubLag, framesDecodedPerSeek, seeksIssued,
    seeksCoalesced
  // Looking around.
  case inputLatency, overOneRefresh, views
  // Streams.
  case qoeLinear, qoeSSIM, meanBitrate, rebufferRatio, rebuffers, rebuffer, requestsToFirstFrame, switchesUp,
    switchesDown,
    switchTime, bufferAhead, throughput, bytesDownloaded, bytesWasted, retries, recovery, liveLatency, dateLatency,
    edgeDistance, catchUpRate
  // Several clients of one stream.
  case clientFairness, linkUtilisation, clientBitrate, clientStalls, clientStallTime
  // Several clips at once.
  case streamsMax, streams, streamLate, streamFairness, streamCPU
  // Correctness of pictures.
  case animationError, weightedPSNR, maxError, wrongFrame, wrongRung
  // Resources.
  case peakRSS, gpuMemory, cpuTime, gpuBusy, gpuClock, power, gpuMemoryClock, gpuTemperature, decoderEngine,
    copyEngine, watt, joulePerFrame
}

extension Metric {
  var row: Row {
    switch self {
    case .demux:
      Row(
        "demux_ms", "time to read a frame's packets", "ms", .low, .distribution,
        "Time to read this frame's packets from the container.")
    case .decodeLatency:
      Row(
        "decode_latency_ms", "time from packet to frame", "ms", .low, .distribution,
        "Packet handed to the decoder → its frame received, less the time its consumer kept the decoder waiting.")
    case .decodeService:
      Row(
        "decode_service_ms", "decoding time per frame", "ms", .low, .distribution,
        "Time per frame of a decoder that never waits for its consumer, over groups of as many frames as threads.")
    case .bring:
      Row(
        "bring_ms", "time to copy out of the decoder", "ms", .low, .distribution,
        "The part of decode_latency_ms in which a hardware decoder's frame is copied to the CPU's memory, or its memory shared; none for "
          + "other decoders.")
    case .firstDecode:
      Row(
        "first_decode_ms", "time to decode the first frame", "ms", .low, .value,
        "First packet handed to the decoder → first frame received.")
    case .steadyFPS:
      Row(
        "steady_fps", "decoding rate without the start", "1/s", .high, .value,
        "All frames of the trial but the first ÷ (first frame received → last frame received), unpaced.")
    case .decodedFrames:
      Row(
        "decoded_frames", "frames decoded", "count", .neutral, .counter,
        "Frames that the decoder delivered to be measured, in all passes of the clip; unknown where no frame is decoded while the trial "
          + "measures.")
    case .codedFrames:
      Row(
        "coded_frames", "frames in the packets", "count", .neutral, .counter,
        "Frames that the packets given to the decoder hold, shown or not; unknown but for VP8, VP9 and AV1.")
    case .hiddenFrames:
      Row(
        "hidden_frames", "frames decoded but never shown", "count", .neutral, .counter,
        "Those of them that are never shown, but decoded for others to refer to.")
    case .decoderDelay:
      Row(
        "decoder_delay_frames", "packets before the first frame", "count", .low, .value,
        "Packets accepted before the first frame comes out.")
    case .decodeFPS:
      Row(
        "decode_fps", "decoding rate", "1/s", .high, .value,
        "All frames of the trial ÷ (first packet sent → last frame out), unpaced, "
          + "at least 100 frames and the lesser of 1 s and --duration.")
    case .pipelineFPS:
      Row(
        "pipeline_fps", "rate of decoding and drawing", "1/s", .high, .value,
        "All frames of the trial ÷ (first packet sent → last frame's GPU work complete), unpaced, "
          + "at least 100 frames and the lesser of 1 s and --duration.")
    case .uploadCPU:
      Row(
        "upload_cpu_ms", "CPU time to upload a frame", "ms", .low, .distribution,
        "CPU time spent moving rows; 0 with direct and shared upload.")
    case .uploadGPU:
      Row(
        "upload_gpu_ms", "GPU time to upload a frame", "ms", .low, .distribution,
        "GPU timestamps around the copy; none where nothing is uploaded.")
    case .renderGPU:
      Row(
        "render_gpu_ms", "GPU time to draw a frame", "ms", .low, .distribution,
        "GPU timestamps around the draw or dispatch; on a CPU device wall time shared with the decoder.")
    case .frameInterval:
      Row(
        "frame_interval_ms", "time between presented frames", "ms", .neutral, .distribution,
        "Time between successive presents.")
    case .displayInterval:
      Row(
        "display_interval_ms", "time a frame stays on display", "ms", .neutral, .distribution,
        "Time between successive changes of the picture on the display; unknown without a present source.")
    case .lowOnePercent:
      Row(
        "low_1_pct_fps", "frame rate of the slowest 1 %", "1/s", .high, .value,
        "1000 ÷ the mean of the longest 1 % of display_interval_ms, stalls included; unknown below 100 intervals.")
    case .lowTenthPercent:
      Row(
        "low_0_1_pct_fps", "frame rate of the slowest 0.1 %", "1/s", .high, .value,
        "1000 ÷ the mean of the longest 0.1 % of display_interval_ms, stalls included; unknown below 1000 intervals.")
    case .frameOverrun:
      Row(
        "frame_overrun_ms", "time past a frame's deadline", "ms", .low, .distribution,
        "Frame ready (GPU work complete) − its deadline; positive is missed.")
    case .presented:
      Row("presented", "frames shown", "count", .neutral, .counter, "Frames shown.")
    case .dropped:
      Row(
        "dropped", "frames dropped", "count", .neutral, .counter,
        "Frames decoded whose time had passed before they could be shown.")
    case .skipped:
      Row(
        "skipped", "frames left out on purpose", "count", .neutral, .counter,
        "Frames deliberately not decoded or not shown: seek discard, rate reduction, frames that no refresh can show.")
    case .repeated:
      Row(
        "repeated", "refreshes that lacked a due frame", "count", .neutral, .counter,
        "Refreshes that showed the previous frame though a new one was due.")
    case .late:
      Row(
        "late", "frames shown late", "count", .neutral, .counter, since: 2,
        "Frames shown one or more refreshes after their deadline: the refresh they were meant for, and the constant delay "
          + "of the pipeline, which is the median of the 31 frames before, at most 4 refreshes.")
    case .stalls:
      Row("stalls", "stalls of playback", "count", .zero, .counter, "Times the queue ran empty while playing.")
    case .stall:
      Row("stall_ms", "length of a stall", "ms", .zero, .distribution, "Queue empty while playing → it plays again.")
    case .dropRuns:
      Row("drop_runs", "lengths of runs of drops", "frames", .low, .histogram, "Lengths of runs of consecutive drops.")
    case .roughness:
      Row(
        "roughness_ms", "unevenness of playback", "ms", .low, .value,
        "95th percentile over one-second windows of the RMS of the accumulated error of frame durations, "
          + "stalls left out.")
    case .roughnessIdeal:
      Row(
        "roughness_ideal_ms", "unevenness of perfect pacing", "ms", .low, .value,
        "The roughness that perfect pacing of this clip on this refresh rate would have.")
    case .freezing:
      Row(
        "freezing_ms", "largest error of a frame's time", "ms", .low, .value,
        "Largest single-frame error of duration in the trial.")
    case .tickJitter:
      Row(
        "tick_jitter_ms", "delay of the display callback", "ms", .low, .distribution,
        "Display-link callback − its due time.")
    case .queueDepth:
      Row(
        "queue_depth", "frames decoded ahead", "frames", .neutral, .distribution,
        "Decoded frames waiting, at each tick.")
    case .clipGap:
      Row(
        "gap_ms", "gap between two clips", "ms", .low, .distribution,
        "End of the last picture of a clip, its frame's duration after it was seen → first picture of the next clip seen."
      )
    case .adsPlayed: Row("ads_played", "ads shown", "count", .neutral, .counter, "Ads that were shown.")
    case .adsFailed:
      Row(
        "ads_failed", "ads left out", "count", .zero, .counter,
        "Ads that were left out: their server, their file, or a wait of more than 5 s; warnings say which.")
    case .lateness:
      Row(
        "lateness_ms", "delay against the clip's cadence", "ms", .zero, .distribution,
        "Frame complete on the watched screen − its time in the clip, less the median of that over the trial's "
          + "frames; positive: late.")
    case .paint:
      Row(
        "paint_ms", "time to paint a frame", "ms", .low, .distribution,
        "First tile of the watched screen shows the frame → all tiles show it; 0 where no sample lies between.")
    case .torn:
      Row(
        "torn", "frames seen torn", "count", .zero, .counter,
        "Frames that the watched screen showed only in part, or whose painting took longer than a refresh of 60 Hz.")
    case .outOfOrder:
      Row(
        "out_of_order", "frames shown out of order", "count", .zero, .counter,
        "Times that the watched screen showed a frame with a lower number than the frame before.")
    case .freezes:
      Row(
        "freezes", "frozen pictures", "count", .zero, .counter,
        "Frames but the last one that stayed on the watched screen for 3 periods of the clip, and a period and "
          + "150 ms, or longer.")
    case .freeze:
      Row(
        "freeze_ms", "length of a frozen picture", "ms", .zero, .distribution,
        "The time for which each of these frames stayed on the watched screen.")
    case .unreadable:
      Row(
        "unreadable_ms", "time without a legible picture", "ms", .zero, .value,
        "Time after the first frame in which no tile of the watched screen showed a frame's number: black, "
          + "covered or something else.")
    case .lastFrame:
      Row(
        "last_frame", "highest frame number seen", "frames", .neutral, .value,
        "The highest frame number that the watched screen showed, counted from 0.")
    case .samplingError:
      Row(
        "sampling_ms", "uncertainty of a frame's time", "ms", .low, .distribution,
        "Width of the interval in which a frame came to the watched screen: the last sample without it → the "
          + "first sample with all of it.")
    case .avSync:
      Row(
        "av_sync_ms", "delay of sound behind picture", "ms", .zero, .distribution,
        "Sound heard − picture seen, of the same media time, for each new picture; positive: sound is late.")
    case .avDrift:
      Row(
        "av_drift_ppm", "drift of sound against picture", "ppm", .zero, .value,
        "Slope of av_sync_ms over time (Theil–Sen: the median slope between pictures half of the trial apart).")
    case .audioGap:
      Row(
        "audio_gap_ms", "silence for lack of samples", "ms", .zero, .value,
        "Time for which the device played silence because samples of the clip were missing, in a trial.")
    case .audioUnderruns:
      Row(
        "audio_underruns", "times the sound ran out", "count", .zero, .counter,
        "Times that the device ran out of samples of the clip.")
    case .audioStart:
      Row(
        "audio_start_ms", "head start of the sound", "ms", .neutral, .value,
        "First picture seen − first sound heard; positive: sound came first.")
    case .soundTurn:
      Row(
        "sound_turn_ms", "time from turn to turned sound", "ms", .low, .distribution,
        "Input that turns the view → the first sample heard from the new direction, the device's latency included.")
    case .timeToFirstFrame:
      Row(
        "ttff_ms", "time to first frame", "ms", .low, .value,
        "Parent's stamp just before the process is spawned → first frame presented.")
    case .phases:
      Row(
        "phases", "parts of the time to first frame", "ms", .low, .phases,
        "The parts of ttff_ms: those of its critical path add up to it, what ran beside them is listed apart.")
    case .seekLatency:
      Row(
        "seek_latency_ms", "time of a seek", "ms", .low, .distribution,
        "Seek requested → the frame of this seek presented; superseded seeks are counted, not timed.")
    case .seekError:
      Row(
        "seek_error_ms", "error of a seek's position", "ms", .zero, .distribution,
        "Landed presentation time − requested time.")
    case .outOfTolerance:
      Row(
        "out_of_tolerance", "seeks outside their tolerance", "count", .zero, .counter,
        "Landings whose interval [pts, pts + duration) does not meet the tolerance window.")
    case .scrubLag:
      Row(
        "scrub_lag_ms", "lag behind a dragging hand", "ms", .low, .distribution,
        "Age of the hand's position that the picture on screen shows, at each tick of a drag.")
    case .framesDecodedPerSeek:
      Row(
        "frames_decoded_per_seek", "frames decoded per seek", "count", .low, .distribution,
        "Frames decoded to serve one seek.")
    case .seeksIssued:
      Row("seeks_issued", "seeks started", "count", .low, .counter, "Seeks handed to the decoder.")
    case .seeksCoalesced:
      Row(
        "seeks_coalesced", "seeks replaced before their start", "count", .low, .counter,
        "Seeks replaced by a newer target before they started.")
    case .inputLatency:
      Row(
        "input_latency_ms", "time from input to picture", "ms", .low, .distribution,
        "A hand does something to the view → the first picture that shows it is ready (GPU work complete).")
    case .overOneRefresh:
      Row(
        "over_one_refresh", "inputs shown after a refresh", "count", .low, .counter,
        "Such events that took longer than from one refresh to the next and the time of the picture that shows them.")
    case .views:
      Row(
        "views", "pictures drawn", "count", .neutral, .counter,
        "Pictures drawn: of a new frame, or of another direction.")
    case .qoeLinear:
      Row(
        "qoe_lin", "quality of experience, linear", "1", .high, .value,
        "Σ bit rate in Mbit/s − 4.3 × rebuffering in s − Σ |change of bit rate| in Mbit/s, over the segments of which a "
          + "picture was shown (Pensieve); the bit rate is the rung's declared one.")
    case .qoeSSIM:
      Row(
        "qoe_ssim", "quality of experience, by SSIM", "dB", .high, .value,
        "Mean over the segments of which a picture was shown: SSIM in dB − |change of it| − 20 × rebuffering in s (Puffer); "
          + "WS-PSNR instead of SSIM for spheres. Unknown without a ladder's measured quality.")
    case .meanBitrate:
      Row(
        "mean_bitrate_bps", "mean bit rate on screen", "bit/s", .high, .value,
        "Declared bit rate of the rung on screen, weighted by the time it played; stalls and pauses have no weight.")
    case .rebufferRatio:
      Row(
        "rebuffer_ratio", "share of time rebuffering", "1", .low, .value,
        "Rebuffering ÷ (playing + rebuffering), in time after the first frame.")
    case .rebuffers:
      Row(
        "rebuffers", "stalls of the stream", "count", .zero, .counter,
        "Stalls after the first frame: the player ran out of pictures to show.")
    case .rebuffer:
      Row(
        "rebuffer_ms", "length of a stream's stall", "ms", .zero, .distribution,
        "Out of pictures to show → playing again, for each stall.")
    case .requestsToFirstFrame:
      Row(
        "requests_to_first_frame", "requests before the first frame", "count", .low, .value,
        "Requests that were answered before the first segment of video was there, each attempt one.")
    case .switchesUp:
      Row(
        "switches_up", "switches to a higher rung", "count", .neutral, .counter,
        "Times that the pictures on screen changed to a higher rung.")
    case .switchesDown:
      Row(
        "switches_down", "switches to a lower rung", "count", .low, .counter,
        "Times that the pictures on screen changed to a lower rung.")
    case .switchTime:
      Row(
        "switch_ms", "time to switch the rung", "ms", .low, .distribution,
        "The controller chose another rung → its first picture is on screen.")
    case .bufferAhead:
      Row(
        "buffer_s", "media loaded ahead", "s", .neutral, .distribution,
        "Media downloaded ahead of the picture on screen, at each reading.")
    case .throughput:
      Row(
        "throughput_bps", "download rate of a segment", "bit/s", .neutral, .distribution,
        "Bytes of a segment's response ÷ (first byte → last byte), for each finished request of one.")
    case .bytesDownloaded:
      Row(
        "bytes_downloaded", "bytes downloaded", "B", .neutral, .counter,
        "Bytes of all response bodies as received, of failed and abandoned requests too.")
    case .bytesWasted:
      Row(
        "bytes_wasted", "bytes downloaded and not shown", "B", .low, .counter,
        "Those of segments of which no picture was shown: abandoned, replaced, or still in the buffer at the end.")
    case .retries:
      Row("retries", "repeated requests", "count", .low, .counter, "Requests that repeated a failed one.")
    case .recovery:
      Row(
        "recovery_ms", "time to recover from a failure", "ms", .low, .distribution,
        "The first attempt to load a resource failed → an attempt succeeded, and the player was not stalled.")
    case .liveLatency:
      Row(
        "live_latency_ms", "delay behind the live picture", "ms", .low, .distribution,
        "Live streams of a ladder: the wall clock coded in the picture → the picture shown, at each reading.")
    case .dateLatency:
      Row(
        "live_date_latency_ms", "delay by the stream's clock", "ms", .low, .distribution,
        "Live streams: the same by the time of day that the stream tells: EXT-X-PROGRAM-DATE-TIME, or availabilityStartTime."
      )
    case .edgeDistance:
      Row(
        "live_edge_s", "distance to the live edge", "s", .neutral, .distribution,
        "Live streams: media between the picture shown and the newest that was published, at each reading.")
    case .catchUpRate:
      Row(
        "catch_up_rate", "speed of playback", "1", .neutral, .distribution,
        "Live streams: media seconds per second, at each reading: 1 at the latency that is aimed at.")
    case .clientFairness:
      Row(
        "client_fairness", "fairness between clients", "1", .high, .value,
        "Jain's index of the clients' mean bit rates on screen, (Σx)² ÷ (n · Σx²) (Jain, Chiu and Hawe 1984): 1 where all are "
          + "equal, 1/n where one has all; a client that showed no picture has 0.")
    case .linkUtilisation:
      Row(
        "link_utilisation", "share of the link used", "1", .high, .value,
        "Bytes that the link of the run's own origin passed ÷ its capacity in the time in which at least one client loaded, from "
          + "a request's arrival to its last byte and while bytes passed: at most 1; unknown where the run does not shape the link."
      )
    case .clientBitrate:
      Row(
        "client_bitrate_bps", "mean bit rate of a client", "bit/s", .high, .distribution,
        "mean_bitrate_bps of each client; 0 for one that showed no picture.")
    case .clientStalls:
      Row(
        "client_stalls", "stalls of a client", "count", .zero, .distribution,
        "Stalls of each client after its first frame.")
    case .clientStallTime:
      Row(
        "client_stall_ms", "time a client stalled", "ms", .zero, .distribution,
        "Time for which each client stalled, in all.")
    case .streamsMax:
      Row(
        "streams_max", "streams possible in real time", "count", .high, .value,
        "The most streams of the clip that are in real time at once: of each at most 0.1 % of the frames are late, dropped or left "
          + "out, or followed by a stall. It held twice, one more failed twice; unknown where the number was given.")
    case .streams:
      Row(
        "streams", "streams played at once", "count", .neutral, .value,
        "Streams that were played at once, of which the other metrics of the trial are.")
    case .streamLate:
      Row(
        "stream_late_pct", "share of a stream's late frames", "%", .low, .distribution,
        "Of each stream: frames late, dropped or left out by the decoder, and stalls ÷ frames that were due.")
    case .streamFairness:
      Row(
        "stream_fairness", "fairness between streams", "1", .high, .value,
        "Jain's index of the streams' frames shown on time: 1 where all have as many, 1/n where one has all.")
    case .streamCPU:
      Row(
        "stream_cpus", "processors busy per stream", "1", .low, .value,
        "Processor time of all streams, from when they begin to play to their end ÷ streams ÷ that time: the processors that one "
          + "keeps busy.")
    case .animationError:
      Row(
        "animation_error_ms", "error of motion between frames", "ms", .low, .distribution,
        "Δ media or view time used for the frame − Δ time between displays.")
    case .weightedPSNR:
      Row(
        "ws_psnr_db", "PSNR of the view", "dB", .high, .distribution,
        "Rendered view against the double-precision reference, weighted by the sphere.")
    case .maxError:
      Row(
        "max_error", "largest error of a pixel", "code values", .low, .distribution,
        "Largest difference of the rendered view from the double-precision reference.")
    case .wrongFrame:
      Row(
        "wrong_frame", "wrong frames", "count", .zero, .counter,
        "Frames whose picture carried another number than the one claimed, or was not what run --expect demands; unknown "
          + "for other clips without it.")
    case .wrongRung:
      Row(
        "wrong_rung", "frames of a wrong rung", "count", .zero, .counter,
        "Frames whose picture carried another rung than the one claimed; unknown for streams without numbers.")
    case .peakRSS:
      Row(
        "peak_rss_mib", "peak memory of the process", "MiB", .neutral, .value,
        "Largest resident set of the trial's process.")
    case .gpuMemory:
      Row(
        "gpu_memory_mib", "peak GPU memory of the process", "MiB", .neutral, .value,
        "Most device memory that the trial's process held.")
    case .cpuTime:
      Row(
        "cpu_seconds", "CPU time of the process", "s", .neutral, .value, "User and system time of the trial's process.")
    case .gpuBusy:
      Row(
        "gpu_busy_pct", "share of time the GPU was busy", "%", .neutral, .distribution,
        "Share of time the device was busy, per reading.")
    case .gpuClock:
      Row(
        "gpu_clock_mhz", "clock of the GPU's cores", "MHz", .neutral, .distribution,
        "Clock of the device's shader cores, per reading.")
    case .power:
      Row("power_w", "power of the GPU", "W", .neutral, .distribution, "Power drawn by the device, per reading.")
    case .gpuMemoryClock:
      Row(
        "gpu_memory_clock_mhz", "clock of the GPU's memory", "MHz", .neutral, .distribution,
        "Clock of the device's memory, per reading.")
    case .decoderEngine:
      Row(
        "decoder_engine_pct", "use of the GPU's decoder", "%", .neutral, .distribution,
        "Share of time in which the device's engines for decoding were busy, per reading.")
    case .copyEngine:
      Row(
        "copy_engine_pct", "use of the GPU's copy engine", "%", .neutral, .distribution,
        "Share of time in which the device's engines for copying were busy, per reading.")
    case .watt:
      Row(
        "watt", "power of processors and GPU", "W", .low, .distribution,
        "Energy of the processors' packages and of a device of its own ÷ time, over each second of the trial, its start included."
      )
    case .joulePerFrame:
      Row(
        "joule_per_frame", "energy per frame", "J", .low, .distribution,
        "watt × the trial's time ÷ frames shown, or where none is to be, decoded.")
    case .gpuTemperature:
      Row(
        "gpu_temperature_c", "temperature of the GPU", "°C", .neutral, .distribution,
        "Temperature of the device's chip, per reading.")
    }
  }
}
