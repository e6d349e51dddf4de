import Verdict

/// What this build is.
public enum BuildInfo {
  public static let version = "0.2.0"
  /// With the commit it was built from, stamped at build: `unknown` outside a repository, whose changes are not known either.
  public static let record = Record.Build(
    version: version, commit: Commit.hash, dirty: Commit.hash == "unknown" ? nil : Commit.isModified)
}
