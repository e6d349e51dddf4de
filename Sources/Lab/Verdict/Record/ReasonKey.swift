/// The subject of a reason in a record's settings: a setting that was left open, or a fact about how trials ran.
public enum ReasonKey: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
  case bounds, decoder, energy, long, pose, present, projection, scheduling, shading, stereo, threads, upload, view
  case convertedFrom = "converted_from"
  case linkCapacity = "link_capacity"
  case pictureQuality = "picture_quality"
  case presentSource = "present_source"
  case refresh = "refresh_hz"
  case startupCold = "startup_cold"
  case startupFirstPicture = "startup_first_picture"
  case startupNoPipelineCache = "startup_no_pipeline_cache"
}
