import SyncModel

extension CalDAVStorage {
  /// Why a text is not even sent. The server takes less, or it is one that calgw would not read
  /// back from a server that keeps it as it is: nothing that is done on this side would mend that.
  func unsendable(_ data: ItemData) -> ItemProblem? {
    if let most = traits.maxItemSize, data.bytes.count > most {
      return .exceeding(limit: most, bytes: data.bytes.count)
    }
    if let place = data.bytes.firstIndex(where: ItemText.isForbiddenControl) {
      let line = ItemText.line(of: place, in: data.bytes)
      return ItemProblem(
        .refused,
        "it was not sent: line \(line) holds the control character"
          + " \(Self.name(data.bytes[place])), which XML, and so a server, cannot carry",
        hint: "take the character out; `calgw check` names each one in a file",
        cause: .unfitText)
    }
    if !ItemText.isWhole(data.bytes) {
      let last = data.bytes.lastIndex { !ItemText.isBlank($0) } ?? 0
      return ItemProblem(
        .refused,
        "it was not sent: its last line, \(ItemText.line(of: last, in: data.bytes)), is not"
          + " END:VCALENDAR, and given back it would look cut off",
        hint: "take out what comes after the last END:VCALENDAR", cause: .unfitText)
    }
    return nil
  }

  private static func name(_ control: UInt8) -> String {
    (control < 16 ? "U+000" : "U+00") + String(control, radix: 16, uppercase: true)
  }
}
