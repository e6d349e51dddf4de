import Foundation
import Frames
import Host
import Playback
import Render
import Run
import Testing
import Verdict

@Suite struct TableTests {
  @Test func scenariosAreNamedOnceAndDescribed() {
    let names = Scenario.runnable.map(\.name)
    #expect(Set(names).count == names.count && !names.isEmpty)
    for scenario in Scenario.runnable {
      #expect(scenario.name.allSatisfy { $0.isLowercase || $0 == "-" } && scenario.summary.count > 10)
      #expect(Scenario.named(scenario.name) == scenario)
      #expect(!scenario.variants.isEmpty && Set(scenario.variants).count == scenario.variants.count)
      #expect(scenario.trialFactor >= 1)
      // A presenter says where the times come from, and nothing presents without a device.
      if scenario.presentSource != nil { #expect(scenario.needsDevice) }
      // What 'compare' and 'ab' judge unless told otherwise.
      #expect(Gates.problem(with: scenario.mainMetric.name) == nil, "nothing can be judged of '\(scenario.name)'")
    }
    #expect(Scenario.named("no such scenario") == nil && Scenario.named("") == nil)
  }

  @Test func suitesNameScenariosThatExistAndGrow() {
    for suite in Suite.allCases {
      #expect(suite.scenarios.allSatisfy { Scenarios.jobs(named: $0) != nil })
      #expect(Set(suite.scenarios).count == suite.scenarios.count && suite.trials >= 1 && suite.duration >= 1)
    }
    for (smaller, larger) in zip(Suite.allCases, Suite.allCases.dropFirst()) {
      #expect(smaller.trials < larger.trials && smaller.duration < larger.duration)
      #expect(Set(smaller.scenarios).isSubset(of: larger.scenarios))
    }
  }

  @Test func noStopIsRequestedAtFirst() {
    #expect(!Interrupt.isRequested)
  }

  @Test func theBuiltInClipLiesInTheUsersCache() {
    let name = "/bench360/synthetic-1-h264-3840x1920-360.mp4"
    #expect(BuiltInClip.path(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c" + name)
    #expect(BuiltInClip.path(environment: ["HOME": "/h"]) == "/h/.cache" + name)
    // The specification of cache folders says that relative paths count for nothing.
    #expect(BuiltInClip.path(environment: ["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache" + name)
    #expect(BuiltInClip.path(environment: ["XDG_CACHE_HOME": "", "HOME": ""]).hasPrefix("/"))
    #expect(BuiltInClip.path(environment: [:]).contains("bench360-\(getuid())/synthetic-"))
  }

  @Test(arguments: [
    ("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", 16, "intel-xeon-platinum-8481c-16core"),
    ("AMD EPYC 9B14", 2, "amd-epyc-9b14-2core"),
    ("AMD Ryzen 7 7840U w/ Radeon 780M Graphics", 8, "amd-ryzen-7-7840u-8core"),
    ("12th Gen Intel(R) Core(TM) i7-1260P", 12, "12th-gen-intel-core-12core"),
  ])
  func machinesOfAKindShareAName(cpu: String, cores: Int, name: String) {
    #expect(MachineProfile.hostClass(cpu: cpu, cores: cores) == name)
  }

  @Test func unknownMachinesHaveANameToo() {
    let name = MachineProfile.hostClass(cpu: nil, cores: nil)
    #expect(name.hasSuffix("-xcore") && name.hasPrefix("unknown"))
  }

  @Test func settingsSurviveAsCode() throws {
    var settings = RunSettings()
    settings.repetition.duration = 2.5
    settings.drawing.upload = .copy
    settings.drawing.shading = .compute
    settings.geometry.stereo = .topBottom
    settings.viewing.camera = Camera(pan: 12)
    (settings.pacing.refresh, settings.pacing.lookAhead, settings.stress) = (Ratio(60000, 1001), 3, .io)
    settings.viewing.motion = .path(try #require(CameraPath(keyframes: [.init(time: .zero, tilt: 3, easing: .hold)])))
    settings.viewing.inputEvents = LookRecording(
      size: settings.viewing.size, moments: [.init(0.5, .hold(.rollLeft)), .init(1, .zoom(steps: -1, x: 2, y: 3.5))])
    let back = try JSONDecoder().decode(RunSettings.self, from: JSONEncoder().encode(settings))
    #expect(back.repetition.duration == 2.5 && back.drawing.upload == .copy && back.geometry == settings.geometry)
    let options = back.sessionOptions()
    #expect(
      options.shading == .compute && options.upload == .copy && options.targetSize == settings.viewing.size
        && options.geometry == settings.geometry)
    #expect(back.pacing.refresh == Ratio(60000, 1001) && back.pacing.lookAhead == 3 && back.stress == .io)
    #expect(back.viewing.inputEvents == settings.viewing.inputEvents)
    #expect(back.viewing.camera == settings.viewing.camera && back.viewing.motion == settings.viewing.motion)
    #expect(options.device == "auto" && !options.requiresGPU)
  }
}
