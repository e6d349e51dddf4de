/// The kind of a warning. The only list of them; `results/README.md` describes each.
///
/// Names are a promise to scripts. A record by another build may hold others.
public enum WarningCode: String, Sendable, CaseIterable {
  case adFailed = "ad_failed"
  case alpha
  case audio
  case baseView = "base_view"
  case battery
  case coarseSampling = "coarse_sampling"
  case color
  case cpuQuota = "cpu_quota"
  case cpuThrottled = "cpu_throttled"
  case crashed
  case damagedPackets = "damaged_packets"
  case dolbyVision = "dolby_vision"
  case endedEarly = "ended_early"
  case endsEarly = "ends_early"
  case formatChanges = "format_changes"
  case frequency
  case governor
  case governorChanged = "governor_changed"
  case gpuShared = "gpu_shared"
  case gpuThrottled = "gpu_throttled"
  case gpuUsers = "gpu_users"
  case hot
  case incomplete
  case insecure
  case interlaced
  case interrupted
  case leftOut = "left_out"
  case load
  case lowMemory = "low_memory"
  case maybeSpherical = "maybe_spherical"
  case memoryPressure = "memory_pressure"
  case notShown = "not_shown"
  case oneSide = "one_side"
  case originDisagrees = "origin_disagrees"
  case otherCPU = "other_cpu"
  case outage
  case quotaThrottled = "quota_throttled"
  case shownFlat = "shown_flat"
  case softwareDevice = "software_device"
  case steal
  case swapping
  case timeLimit = "time_limit"
  case traceLost = "trace_lost"
  case unsettled
  case uploadUnavailable = "upload_unavailable"
  case validation
  case warmUp = "warm_up"
  case wrongFrame = "wrong_frame"
}
