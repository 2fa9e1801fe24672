import EventEditing
import ICalendar

/// Looks at what `--set` writes as `calgw check` does: a value that its property cannot have would
/// be refused by servers, and keep the item from being edited.
struct SettingsCheck {
  /// The properties that are set, in upper case.
  let names: Set<String>

  init(_ edit: EventEdit) { names = Set(edit.properties.map(\.name)) }

  /// Throws where a value is none that the property can have, and was not there before.
  func check(_ change: LinkedChange, of item: FoundItem) throws(RunFailure) {
    if names.isEmpty { return }
    let known = Set(mistakes(in: item.data.bytes).map(\.code))
    for text in [change.item, change.created?.text].compactMap({ $0 }) {
      guard let mistake = mistakes(in: text).first(where: { !known.contains($0.code) }) else {
        continue
      }
      throw RunFailure(
        .usage, code: "usage", message: "\(mistake.property): \(mistake.message)", place: "--set",
        hint: "give it a value as RFC 5545 has it")
    }
  }

  private struct Mistake {
    let property: String
    let code: CheckCode
    let message: String
  }

  /// What is wrong with the values of the properties that are set.
  private func mistakes(in text: [UInt8]) -> [Mistake] {
    let tree = SyntaxTree(bytes: text)
    let own = Set(CalendarObject(tree).components.map(\.component.id))
    let places = tree.calendars.flatMap { Self.places(in: $0, of: own) }
      .sorted { $0.number < $1.number }
    return ItemMender.findings(in: tree).map(\.finding).compactMap { finding in
      guard finding.severity == .error || Self.alsoRefused.contains(finding.code),
        let line = places.last(where: { $0.number <= finding.line })?.property,
        let property = names.first(where: { line.isNamed($0) })
      else { return nil }
      return Mistake(property: property, code: finding.code, message: finding.message)
    }
  }

  /// Where each property and each component begins; what is no property of the item's own, as in an
  /// alarm, has nobody set.
  private static func places(in component: Component, of own: Set<Component.ID>)
    -> [(number: Int, property: ContentLine?)]
  {
    let isOwn = own.contains(component.id)
    let lines = component.lines.compactMap { line in
      line.lineNumber.map { (number: $0, property: isOwn ? line : nil) }
    }
    let begin = component.lineNumber.map { [(number: $0, property: nil as ContentLine?)] } ?? []
    return begin + lines + component.components.flatMap { places(in: $0, of: own) }
  }

  /// Warnings that say of a value that it is none of its property.
  private static let alsoRefused: Set<CheckCode> = [.badStatus, .badNumber, .typeMismatch]
}
