/// What this build is.
public enum BuildInfo {
  public static let version = "0.1.0"
  /// The commit it was built from, stamped at build; `unknown` outside a repository.
  public static var commit: String { Commit.hash }
  /// Whether there were uncommitted changes; nil when the commit is unknown.
  public static var isDirty: Bool? { commit == "unknown" ? nil : Commit.isModified }
}
