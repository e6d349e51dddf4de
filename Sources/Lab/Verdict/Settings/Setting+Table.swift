/// A setting of a measurement: the options of `run` that can affect a number.
///
/// Its row drives the command line, its help, completion and manual page, the keys of a matrix, and the facts in which
/// two records must agree to be compared.
package enum Setting: String, CaseIterable, Sendable {
  // How much is measured.
  case suite, scenario, trials, duration, timeout, seed
  // What the camera sees.
  case size, view, camera, projection, bounds, pose, geometry, stereo, eye, lensFov
  // How the clip is decoded.
  case decoder, threads, lowDelay, insecure, keyFile, licenceUrl
  // How it is drawn.
  case device, requireGpu, upload, shading, validate
  // The display and the sound.
  case refresh, lookAhead, present, audio, audioTrack, audioDelay
  // How a stream is loaded, and over which link.
  case controller, estimator, buffer, resumeBuffer, startBitrate, peakBitrate
  case startTime, liveLatency, liveFallback, retries, retryLimit, cmcd
  case network, rate, rtt, loss, faults, packaging
  case live, liveWindow, liveEvent, liveParts, liveEnd
  case clients, decoding, stagger
  // Conditions of every trial.
  case streams, inputEvents, ads, pin, stress, expect

  package var row: Row {
    switch self {
    case .suite:
      Row(.text, "How much to measure: about 15 s, 90 s or 18 min on a two-core machine.", .free)
    case .scenario:
      Row(
        .text, "Scenarios to run, separated by commas; NAME/VARIANT runs that variant alone. (default: the suite's)",
        form: "name,…", .free)
    case .trials:
      Row(
        .count(1...10_000), "Fresh processes per scenario; 'startup' takes three for each. (default: the suite's)",
        .free)
    case .duration:
      Row(
        .number(0.001...86_400, unit: "seconds"),
        "Media seconds per trial, but 100 frames at least; clips loop. (default: the suite's)"
      ) { "\($0.settings.repetition.durationSeconds) s" }
    case .timeout:
      Row(.number(1...86_400, unit: "seconds"), "End a trial that makes no progress for this long.", .free)
    case .seed:
      Row(.text, "Seed of random patterns.") { "\($0.settings.repetition.seed)" }

    case .size:
      Row(
        .text, "Size of the rendered view, WIDTHxHEIGHT in pixels.", form: "widthxheight", of: .device
      ) { $0.settings.viewing.size?.description }
    case .view:
      Row(
        .signedText,
        """
        Direction of the view, in degrees: PAN + right, TILT + up, FOV vertical (1 to 179), ROLL + clockwise. \
        (default: \
        where the file says to look first, else 0,0,85,0)
        """, form: "pan,tilt[,fov[,roll]]", of: .device
      ) { $0.settings.viewing.view.map { "\($0.pan),\($0.tilt),\($0.fov),\($0.roll)" } }
    case .camera:
      Row(
        .nameOrFile,
        """
        The view as a function of media time: 'pan' turns by 30° a second, 'orbit' tilts by 20° too, a file holds \
        keyframes (results/camera.schema.json).
        """, form: "motion", of: .cameraMotion
      ) { record in
        record.settings.viewing.cameraSha256.map { "file with SHA-256 \($0)" } ?? record.settings.viewing.camera
      }
    case .projection:
      Row(
        .text,
        """
        Projection of the picture; cubemaps and 'eac' have FFmpeg v360's order of faces, 'little-planet' shows an \
        equirectangular picture in stereographic projection. 'auto' follows the file's metadata; 'guess' takes, for \
        a file \
        without it, what 'probe' guesses from name, shape and pixels.
        """, of: .device
      ) { $0.settings.geometry.projection }
    case .bounds:
      Row(
        .signedText,
        "The part of the sphere that one eye's picture covers, as fractions of the whole. (default: the file's)",
        form: "left,top,width,height", of: .device
      ) { record in
        guard record.settings.geometry.projection != nil else { return nil }
        return record.settings.geometry.bounds.map { "\($0.left),\($0.top),\($0.width),\($0.height)" } ?? "whole"
      }
    case .pose:
      Row(
        .signedText,
        """
        Rotation of the content, in degrees: YAW and PITCH + counter-clockwise, ROLL + clockwise. (default: the \
        file's)
        """,
        form: "yaw,pitch,roll", of: .device
      ) { $0.settings.geometry.pose.map { "\($0.yaw),\($0.pitch),\($0.roll)" } }
    case .geometry:
      Row(
        .text,
        "Geometry of the sphere: 'ray' is exact for every pixel, 'mesh' is HTY360Player's 200 slices x 100 parallels.",
        of: .device
      ) { $0.settings.geometry.sphere }
    case .stereo:
      Row(.text, "Stereo layout of the picture.", of: .device) { $0.settings.geometry.stereo }
    case .eye:
      Row(.text, "The eye to show; 'both' shows them side by side, for VR goggles.", of: .device) {
        $0.settings.geometry.eye
      }
    case .lensFov:
      Row(
        .number(1...360, unit: "degrees"), "Angle across the circle of a fisheye picture, in degrees (1 to 360).",
        of: .device
      ) {
        $0.settings.geometry.lensFov.map { "\($0)" }
      }

    case .decoder:
      Row(
        .text,
        """
        Decoder: 'cuda', 'vaapi' and 'vulkan' are hardware decoders; 'auto' takes one whose frames can be drawn \
        without \
        passing through the CPU's memory, else software. 'bench360 devices' lists them.
        """
      ) { $0.settings.decoding.decoder }
    case .threads:
      Row(.count(0...1024), "Decoder threads; with 0 libavcodec chooses.") {
        $0.settings.decoding.threads.map { "\($0)" }
      }
    case .lowDelay:
      Row(.flag, "Decode without frame threads and their delay.") { "\($0.settings.decoding.lowDelay)" }
    case .insecure:
      Row(
        .flag, "Do not verify the certificates of HTTPS servers. (default: by the system's store, or $SSL_CERT_FILE)",
        .free)
    case .keyFile:
      Row(
        .file(extensions: []), "Keys of ClearKey: JSON Web Keys as licences have them, or lines of KID:KEY.",
        form: "file",
        .free)
    case .licenceUrl:
      Row(
        .text,
        """
        Ask this ClearKey licence server (W3C's JSON by POST) for keys that are not given. (default: the one that a \
        stream names)
        """,
        form: "url", .free)

    // A required device may also decode.
    case .device:
      Row(
        .text, "Vulkan device: auto, or an index, part of a name, or a UUID from 'bench360 devices'.", of: .device,
        with: .requireGpu, .free)
    case .requireGpu:
      Row(.flag, "Fail if the device renders on the CPU.", .free)
    case .upload:
      Row(
        .text,
        """
        Path of frames to the GPU: 'shared' samples a hardware decoder's frames in place, the others upload from the \
        CPU's \
        memory.
        """, of: .device
      ) { $0.settings.drawing.upload }
    case .shading:
      Row(
        .text,
        """
        Kind of shader: 'fragment' samples chroma for every pixel, 'compute' once for 2x2 pixels of 4:2:0 video; \
        'auto' is compute on a \
        CPU device, fragment on a GPU and for 'snapshot'.
        """, of: .device
      ) { $0.settings.drawing.shading }
    case .validate:
      Row(.flag, "Enable the Vulkan validation layer; its messages become warnings.") {
        "\($0.settings.drawing.validate)"
      }

    case .refresh:
      Row(
        .text,
        """
        Refreshes per second of the display that 'play' and 'interaction' play on and 'scrub' drags with, such as \
        60, 59.94 or 60000/1001. \
        (default: 60, in a window the monitor's)
        """, form: "hz", of: .refreshRate
      ) { $0.settings.pacing.refreshHz.map { "\($0) Hz" } }
    case .lookAhead:
      Row(.number(2...1000, unit: "frames"), "Frames that 'play' decodes ahead of the display.", of: .lookAhead) {
        $0.settings.pacing.lookAhead.map { "\($0) frames" }
      }
    case .present:
      Row(.text, "Output of 'play': no display, or a window of --size.", of: .window) { $0.settings.pacing.present }
    case .audio:
      Row(
        .text,
        """
        Output of the sound in 'play' and 'stream': 'null', a device made of a clock, in which faults can be planted \
        (null:latency=MS,offset=MS,drift=PPM,underrun=MS@S); 'file:FILE', which writes a WAV file; 'auto' or the \
        name of a \
        device; 'off', which plays the picture alone. (default: null; of 'stream': off, no sound is loaded)
        """, form: "output", of: .sound
      ) { record in
        record.scenarios.contains { $0.key?.has(.sound) == true } ? record.settings.pacing.audio ?? "none" : nil
      }
    case .audioTrack:
      Row(.text, "The track that is heard: 'auto', a language, or a number from 1.", form: "track", of: .sound) {
        $0.settings.pacing.audioTrack.map { "stream \($0)" }
      }
    case .audioDelay:
      Row(.number(-10_000...10_000, unit: "ms"), "Play the sound later; negative: earlier.", of: .sound) {
        "\($0.settings.pacing.audioDelayMs ?? 0) ms"
      }

    case .controller:
      Row(
        .text,
        "What chooses the rungs ('bench360 abr' compares them). Several, with commas, are taken by clients in turn.",
        form: "name", of: .network
      ) { $0.settings.streaming?.controller }
    case .estimator:
      Row(.text, "How throughput is estimated: EWMAs of 3 and 8 s, or the mean of three segments.", of: .network) {
        $0.settings.streaming?.estimator
      }
    case .buffer:
      Row(
        .text,
        "Media ahead of the playhead, in seconds: a full player, at MAX, loads again once a segment fits below MIN.",
        form: "min,max", of: .network
      ) { record in
        record.settings.streaming.map { "\($0.bufferMinimum),\($0.bufferMaximum),\($0.bufferResume) s" }
      }
    case .resumeBuffer:
      Row(
        .number(0...86_400, unit: "seconds"),
        "Media that starts playing and ends a stall, in seconds; with 0 the first segment does.", of: .network,
        .factOf(.buffer))
    case .startBitrate:
      Row(
        .text, "Begin with the highest rung up to this. (default: the lowest rung)", form: "bit/s", of: .network
      ) { record in
        record.settings.streaming.map { streaming in
          let texts = [streaming.startBitrate, streaming.peakBitrate].map { $0.map { "\($0) bit/s" } ?? "any" }
          return texts.joined(separator: " to ")
        }
      }
    case .peakBitrate:
      Row(
        .text, "Load no rung above this, such as 5M or 800k. (default: no limit)", form: "bit/s", of: .network,
        .factOf(.startBitrate))
    case .startTime:
      Row(
        .text,
        "Begin to play here: so many seconds from the start, or a live stream at a date such as 2026-11-22T10:00:00Z.",
        form: "seconds|date", of: .network
      ) { $0.settings.streaming.map { $0.live?.startDate ?? "\($0.startTime) s" } }
    case .liveLatency:
      Row(
        .number(0.1...3600, unit: "seconds"),
        "Of a live stream, from the moment of a picture to its display. (default: what the stream asks for)",
        of: .network
      ) { record in
        record.settings.streaming.map { $0.live?.latency.map { "\($0) s" } ?? "as the stream asks" }
      }
    case .liveFallback:
      Row(.text, "Where a live stream goes on once its window has slid past the player.", of: .network, .free)
    case .retries:
      Row(.count(0...1000), "Requests that fail are made again so many times without progress.", of: .network) {
        $0.settings.streaming.map { "\($0.retries) in \($0.retryLimit) s" }
      }
    case .retryLimit:
      Row(.number(0...3600, unit: "seconds"), "And for no longer than this.", of: .network, .factOf(.retries))
    case .cmcd:
      Row(
        .text, "Tell servers of each request what the player knows (CMCD, CTA-5004). (default: nothing)", of: .network
      ) {
        $0.settings.streaming.map { $0.cmcd ?? "none" }
      }

    case .network:
      Row(
        .file(extensions: []),
        "Capacity and round trips over time: bench360's JSON, mahimahi, sabre, or logs of six columns.", form: "trace",
        of: .network
      ) { $0.settings.streaming.map { $0.link?.text ?? "not shaped" } }
    case .rate:
      Row(
        .number(0.001...1e6, unit: "Mbit/s"), "Capacity of the link. (default: as fast as the machine is)",
        of: .network,
        .factOf(.network))
    case .rtt:
      Row(
        .number(0...60_000, unit: "milliseconds"),
        "Round-trip time of the link; needs --rate or --network. (default: the trace's, else 0)", of: .network,
        .factOf(.network))
    case .loss:
      Row(
        .number(0...99.9, unit: "percent"),
        "Share of packets that are lost, each a wait of one round trip for its connection; needs --rate.", of: .network,
        .factOf(.network))
    case .faults:
      Row(
        .file(extensions: ["json"]), "Faults of the run's own origin, as 'serve' takes them.", form: "file.json",
        of: .network
      ) { $0.settings.streaming.map { $0.faults ?? "none" } }
    case .packaging:
      Row(.text, "Which presentation of a ladder's folder is played.", of: .network) {
        $0.settings.streaming?.packaging
      }

    case .live:
      Row(.flag, "Serve a ladder as a live stream, over and over.", of: .network, .free)
    case .liveWindow:
      Row(
        .number(2...86_400, unit: "seconds"), "Media that playlists and manifest list (default: 30).", of: .network,
        .free)
    case .liveEvent:
      Row(.flag, "Segments stay listed for ever (EVENT).", of: .network, .free)
    case .liveParts:
      Row(.number(0.1...5, unit: "seconds"), "Low latency: publish parts of at most so long.", of: .network, .free)
    case .liveEnd:
      Row(
        .number(0...1e7, unit: "seconds"), "The stream ends so long after the start. (default: never)", of: .network,
        .free)

    case .clients:
      Row(.count(1...256), "So many players load the stream at the same time, over one link.", of: .network) { record in
        guard record.settings.streaming != nil else { return nil }
        return record.settings.clients.map { "\($0.count) \($0.decoding), \($0.stagger) s apart" } ?? "1 real"
      }
    case .decoding:
      Row(
        .text,
        """
        Decode and draw frames (real), or only load, parse and consume them at their times (virtual). (default: real \
        for one player, \
        virtual for several)
        """, of: .network, .factOf(.clients))
    case .stagger:
      Row(
        .number(0...60, unit: "seconds"), "From one client's start to the next one's. (default: 0.1)", of: .network,
        .factOf(.clients))

    case .streams:
      Row(
        .count(1...256),
        """
        So many streams of the clip at once, for --scenario density. (default: the most that are in real time are \
        looked for)
        """,
        of: .several
      ) { record in
        guard record.scenarios.contains(where: { $0.key?.has(.several) == true }) else { return nil }
        return record.settings.streams.map { "\($0)" } ?? "as many as it keeps up with"
      }
    case .inputEvents:
      Row(
        .file(extensions: ["json"]),
        "Recorded input of a user ('view --record-input'), for --scenario interaction/recorded.", form: "file.json",
        of: .inputEvents
      ) { $0.settings.viewing.inputEventsSha256.map { "file with SHA-256 \($0)" } }
    case .ads:
      Row(
        .file(extensions: ["xml", "vmap", "vast"]),
        """
        The schedule of --scenario ads: a file or URL of VMAP or VAST. (default: the clip itself stands for three \
        ads)
        """,
        form: "schedule", of: .ads
      ) { $0.settings.pacing.ads }
    case .pin:
      Row(.text, "Keep every trial on these CPUs, such as 0-3,6. (default: all)", form: "cpus") {
        $0.settings.pin ?? "none"
      }
    case .stress:
      Row(
        .text,
        """
        Other work of the machine meanwhile: 'cpu' keeps every processor busy, 'io' writes a temporary file and \
        flushes \
        it to its disk, over and over.
        """
      ) { $0.settings.stress }
    case .expect:
      Row(
        .text,
        """
        Check the frames after measuring: each as decoded against a framehash or framemd5 file of FFmpeg, or against \
        the \
        software decoder ('software'), and one of 16 as drawn.
        """, form: "file", .free)
    }
  }
}

extension Record.Settings.Streaming.Link {
  fileprivate var text: String {
    let parts = [
      rateMbps.map { "\($0) Mbit/s" }, rttMs.map { "\($0) ms" }, lossPct.map { "\($0) % lost" },
    ].compactMap { $0 }
    return ([network] + parts).joined(separator: ", ")
  }
}
