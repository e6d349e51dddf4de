extension ExportFormat {
  /// The rows of `run --format csv` of all records, under one header: for DuckDB, ClickHouse and spreadsheets.
  static let csv = ExportFormat("csv", "one row per record, scenario and metric, for DuckDB and the like") {
    records, _ in
    CSV.text([ReportFormat.csvHeader] + records.flatMap(ReportFormat.csvRows))
  }
}
