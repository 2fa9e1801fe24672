import TestSupport

/// Names of files on a disk that takes several spellings for one.
extension Story {
  /// What of the catalogue its disk does; nil where each name has one spelling.
  var foldedNames: String? { ["C2.30", "C2.31"].first { traits.contains($0) } }

  var nameFolding: NameFolding {
    switch foldedNames {
    case "C2.30": .letterCase
    case "C2.31": .accents
    default: .none
    }
  }

  /// What people call the file of a new item.
  func fileName(of uid: String) -> String {
    nameFolding == .accents ? "\(uid)-\(NameFolding.composed).ics" : "\(uid).ics"
  }

  /// A name as another program spells it, in capitals but where the disk folds accents alone.
  func respelled(_ name: String) -> String {
    guard nameFolding == .accents else { return name.dropLast(4).uppercased() + ".ics" }
    let isComposed = name.utf8.contains(0xC3)
    let (from, to) =
      isComposed
      ? (NameFolding.composed, NameFolding.decomposed)
      : (NameFolding.decomposed, NameFolding.composed)
    return name.replacing(from, with: to)
  }
}
