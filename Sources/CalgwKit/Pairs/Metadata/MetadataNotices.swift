import SyncModel
import SyncPlanning
import VdirStorage

/// What a person should know of the values of a collection, in words. Values are as they are in
/// them: whoever prints a notice makes it safe to show.
extension MetadataSync {
  /// In characters; what is longer is not told whole.
  private static let longestTold = 200

  /// What gives way.
  func concession(_ value: DifferingValue) -> String? {
    guard let target = value.target else { return nil }
    let isForeseen = pair.mode == .look
    let lost = value[target] ?? ""
    var shown = "'\(lost)'"
    if lost.count > Self.longestTold {
      shown = "'\(lost.prefix(Self.longestTold))…'"
      if !isForeseen { shown += " (whole in `calgw log --content`)" }
    }
    let holds = isForeseen ? "would hold" : "holds"
    let gives = isForeseen ? "would give" : "gives"
    let key = value.key.rawValue
    let difference =
      value.base == nil
      ? "the sides differ in the \(key), and never agreed on it" : "both sides changed the \(key)"
    return "\(place): \(difference);"
      + " the \(target.opposite.rawValue) one \(holds), and \(shown) \(gives) way"
  }

  /// What stands in the place of values and is none. It is left alone.
  func oddValues(_ sides: BothSides<CollectionDescription>) -> [String] {
    var notices: [String] = []
    for side in Side.allCases {
      if case .account = pair.side(side) {
        let unread = sides[side].unreadValues(among: pair.target.pair.metadata)
        notices += unread.map { "\(place): \($0.notice)" }
        continue
      }
      let isItself = sides[side].href == VdirRoot.itself
      let folder = pair.side(side).path + (isItself ? "" : "/" + sides[side].name)
      for key in MetadataKey.allCases where pair.target.pair.metadata.contains(key) {
        guard let why = sides[side].oddValues[key] else { continue }
        notices.append("\(place): the file \(folder)/\(key.rawValue) is left alone: \(why)")
      }
    }
    return notices
  }

  /// What a side made of a value that it was given.
  func replacement(_ value: String, of asked: CarriedValue) -> String {
    "\(place): the \(asked.side.rawValue) side made \(quoted(value)) of the \(asked.key.rawValue)"
      + " \(quoted(asked.value)), and that holds for both"
  }

  /// What a side refused, or made something of. It is the base from now on, so it is said once.
  func kept(
    _ value: String?, insteadOf asked: CarriedValue, because reason: String? = nil
  ) -> String {
    let own = value.flatMap { $0.isEmpty ? nil : quoted($0) } ?? "none"
    let because = reason.map { " (\($0))" } ?? ""
    let (side, key) = (asked.side.rawValue, asked.key.rawValue)
    guard !asked.value.isEmpty else {
      return "\(place): the \(side) side was to have no \(key) and keeps \(own)\(because)"
    }
    return
      "\(place): the \(side) side was to have the \(key) \(quoted(asked.value)) and keeps \(own)"
      + "\(because); it is asked again once the other side changes it"
  }

  func failure(_ values: [CarriedValue], on side: Side, _ error: StorageError) -> String {
    let names = values.map(\.key.rawValue).joined(separator: ", ")
    let why = error.why.isEmpty ? "" : " (\(error.why))"
    let hint = error.hint.isEmpty ? "" : "; \(error.hint)"
    // What was to come back here, or to be removed, is in no later run's plan.
    let isAsked = values.contains { $0.isPutBack && (side == .local || $0.value.isEmpty) }
    let next = isAsked ? "; run the command again" : ", and the next run tries again"
    return "\(place): the \(side.rawValue) side could not be given the \(names)\(next):"
      + " \(error.message)\(why)\(hint)"
  }

  private func quoted(_ value: String) -> String { "'\(visibleText(value, limit: 40))'" }

  var place: String { "\(pair.target.pair.name)/\(name)" }
}

/// Values of a calendar that nobody could read.
struct UnreadValue: Sendable, Hashable {
  /// That they cannot be read, in words.
  let message: String
  let isOne: Bool
  /// Why, and what to do, in words.
  let why: String

  var notice: String { "\(message), so nothing is made of \(isOne ? "it" : "them"): \(why)" }
}

extension CollectionDescription {
  /// All of them together, where nothing of them could be read, and else each of some.
  func unreadValues(among keys: [MetadataKey] = MetadataKey.allCases) -> [UnreadValue] {
    let end = "of the calendar \(href.text) cannot be read"
    if let why = oddValues[.displayname], oddValues.count == MetadataKey.allCases.count {
      let message = "the display name, colour, description and order \(end)"
      return [UnreadValue(message: message, isOne: false, why: why)]
    }
    return MetadataKey.allCases.filter(keys.contains).compactMap { key in
      oddValues[key].map {
        UnreadValue(message: "the \(key.rawValue) \(end)", isOne: true, why: $0)
      }
    }
  }
}
