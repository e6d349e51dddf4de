import FoundationEssentials
import Frames

/// A JSON form in which programs tell their numbers: one row of `CustomFormat.all`.
struct CustomFormat: Sendable {
  /// As sentences call it.
  let name: String
  /// Reads it, or answers nil for another form. Throws where it is this form, but damaged.
  let read: @Sendable (Data) throws -> CustomRun?

  static let all: [CustomFormat] = [.own, .hyperfine, .googleBenchmark]

  /// The numbers in `json`, of whichever form. Throws `.input` with the cause; `place` begins the sentence.
  static func run(_ json: Data, place: String) throws(Failure) -> CustomRun {
    func failure(_ cause: String, _ remedy: String? = nil) -> Failure {
      Failure(.input, "\(place) failed", cause: cause, remedy: remedy)
    }
    let forms = "the forms are \(all.map(\.name).joined(separator: ", "))"
    guard !RecordCoding.isNested(json, deeperThan: 64) else { throw failure("its JSON is nested too deeply", forms) }
    for form in all {
      do {
        guard let run = try form.read(json) else { continue }
        guard let first = run.metrics.first else { throw failure("its \(form.name) JSON holds no metric") }
        let isUsable = run.metrics.allSatisfy { !$0.values.isEmpty && $0.values.allSatisfy(\.isFinite) }
        guard isUsable else {
          throw failure("a metric of its \(form.name) JSON, such as '\(first.name)', has no value")
        }
        return run
      } catch let error as Failure {
        throw error
      } catch {
        throw failure("its \(form.name) JSON is damaged: \(RecordCoding.sentence(for: error))")
      }
    }
    let isRecord = (try? JSONDecoder().decode(Head.self, from: json))?.schema.hasPrefix("bench360/") ?? false
    if isRecord { throw failure("it wrote a record of bench360", "leave --metric json out for 'bench360 run …'") }
    throw failure("it left no JSON of a known form", forms)
  }

  private struct Head: Decodable {
    var schema: String
  }

  /// `bench360-numbers/1`: a program's own words for its numbers.
  static let own = CustomFormat(name: CustomRun.schema) { json in
    guard (try? JSONDecoder().decode(Head.self, from: json))?.schema == CustomRun.schema else { return nil }
    return try JSONDecoder().decode(CustomRun.self, from: json)
  }
}
