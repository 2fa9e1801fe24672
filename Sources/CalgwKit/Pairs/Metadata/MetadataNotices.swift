import SyncModel
import SyncPlanning
import VdirStorage

/// What a person should know of the values of a collection, in words. Values are as they are in
/// them: whoever prints a notice makes it safe to show.
extension MetadataSync {
  /// What gives way. There is no history of names: this line is where it can be found, or what is
  /// too long for one in a file.
  func concession(_ value: DifferingValue) throws(RunFailure) -> String? {
    guard let target = value.target else { return nil }
    let lost = value[target] ?? ""
    var shown = "'\(lost)'"
    if lost.count > KeptValues.longestTold {
      shown = "'\(lost.prefix(KeptValues.longestTold))…'"
      if pair.mode == .write {
        let now = surroundings.now()
        let file = try pair.values.keep(
          lost, of: value.key, in: name, pair: pair.target.pair.name, at: now)
        shown += " (whole in \(file))"
      }
    }
    let isForeseen = pair.mode == .look
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
    return "\(place): the \(asked.side.rawValue) side was to have the \(asked.key.rawValue)"
      + " \(quoted(asked.value)) and keeps \(own)\(because); it is asked again once the other side"
      + " changes it"
  }

  func failure(_ keys: [MetadataKey], on side: Side, _ error: StorageError) -> String {
    let names = keys.map(\.rawValue).joined(separator: ", ")
    let why = error.why.isEmpty ? "" : " (\(error.why))"
    let hint = error.hint.isEmpty ? "" : "; \(error.hint)"
    return "\(place): the \(side.rawValue) side could not be given the \(names), and the next run"
      + " tries again: \(error.message)\(why)\(hint)"
  }

  private func quoted(_ value: String) -> String { "'\(visibleText(value, limit: 40))'" }

  var place: String { "\(pair.target.pair.name)/\(name)" }
}
