import Foundation
import PackagePlugin

/// Writes the commit that is being built into Swift source, anew with every build.
///
/// The manifest could ask git as well, but SwiftPM remembers its answer for as long as the manifest stays the same.
@main
struct StampCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Stamp the commit", executable: URL(filePath: "/bin/sh"),
        arguments: [
          context.package.directoryURL.appending(path: "Scripts/stamp-commit").path, context.package.directoryURL.path,
          folder.path,
        ], outputFilesDirectory: folder)
    ]
  }
}
