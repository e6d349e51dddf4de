/// The text about a record, a comparison or a history, before it has a form: facts, sections with a table each, warnings and the answer.
///
/// It is built once (`Document(_:)`) and rendered for a terminal (`terminal(_:)`) and as Markdown (`markdown`). The tables are also
/// those of the report's page.
struct Document {
  /// The heading where one is usual.
  var title: String
  var facts: [Fact] = []
  /// A table over all sections, with columns of its own; nil if there is none.
  var overview: Section?
  var sections: [Section] = []
  /// The name of a column with each section's name, for outputs that put all sections in one table; nil: they do not.
  var sectionColumn: String?
  /// Sentences that concern all sections.
  var remarks: [String] = []
  var warnings: [Record.Warning] = []
  /// A defect of the whole, such as a run that ended early.
  var defect: String?
  /// One sentence without a full stop.
  var answer: String
  var tone = Tone.neutral

  enum Tone: Sendable { case neutral, good, bad, undecided }

  /// A line with a label, or without: words or longer parts, between which lines may break.
  struct Fact {
    var label: String
    /// The label in running text; nil: the same.
    var longLabel: String?
    var parts: [String]
    var separator: String

    /// - Parameter parts: text of files; control characters are escaped.
    init(_ label: String = "", long: String? = nil, parts: [String]) {
      (self.label, longLabel, self.parts, separator) = (label, long, parts.map(ReportText.printable), " · ")
    }

    init(_ label: String = "", _ text: String) {
      let words = ReportText.printable(text).split(separator: " ").map(String.init)
      (self.label, parts, separator) = (label, words, " ")
    }

    var text: String { parts.joined(separator: separator) }
  }

  struct Section {
    /// In a column or a sentence.
    var name: String
    var heading: String
    /// Above the table.
    var facts: [Fact] = []
    /// Values that are drawn as a line of text, and what their range is.
    var sparkline: (values: [Double], range: String)?
    var table: Table
    /// Below the table.
    var notes: [Fact] = []
    /// The answer about this section, where it is not the document's.
    var answer: String?
  }

  struct Table {
    var columns: [Column]
    var rows: [Row] = []
    /// Rows of less weight, which outputs may fold.
    var others: [Row] = []
    /// The title of the others.
    var othersTitle = ""
    /// The sentence about unchanged rows that are left out, of their number.
    var folded: @Sendable (Int) -> String = { "\($0) unchanged" }

    var allRows: [Row] { rows + others }
  }

  struct Column {
    enum Alignment { case left, right }

    var title: String
    var alignment = Alignment.right
    /// Characters in a terminal. Longer cells are cut.
    var width: ClosedRange<Int>

    init(_ title: String, _ alignment: Alignment = .right, width: ClosedRange<Int>) {
      (self.title, self.alignment, self.width) = (title, alignment, width)
    }
  }

  struct Row {
    /// One for each column. The last may be empty.
    var cells: [String]
    var tone = Tone.neutral
    /// A sentence about the row, after its name and its state.
    var remark: (name: String, state: String, text: String)?
    /// It says that nothing happened: outputs may leave out the remark, or a row of the others.
    var isUnchanged = false
  }
}
