public import Foundation

/// The project's own files.
public enum Project {
  public static let root = URL(filePath: Checkout.root)

  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The names of the files of a folder that end in `suffix`, sorted.
  public static func files(in folder: String, endingIn suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
      .filter { $0.hasSuffix(suffix) }.sorted()
  }

  /// The tables of a Markdown document: rows of trimmed cells, the heading first.
  public static func tables(in document: String) throws -> [[[String]]] {
    var tables: [[[String]]] = []
    var isInside = false
    for line in try text(document).split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        isInside = false
        continue
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        .dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.allSatisfy({ $0.allSatisfy { $0 == "-" } && $0.count >= 3 }) { continue }
      if isInside {
        tables[tables.count - 1].append(cells)
      } else {
        tables.append([cells])
        isInside = true
      }
    }
    return tables
  }
}
