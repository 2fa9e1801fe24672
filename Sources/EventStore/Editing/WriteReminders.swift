import EventEditing
import ICalendar

extension SyntaxTree {
  /// Gives a component other alarms: those that stay keep their bytes, alarms that cannot be read
  /// too.
  mutating func setReminders(
    _ reminders: [Reminder], in component: Component.ID
  ) throws(EventStoreError) {
    var wanted = reminders
    for written in self[component]?.reminders ?? [] {
      if let index = wanted.firstIndex(of: written.reminder) {
        wanted.remove(at: index)
      } else {
        try editing { tree throws(EditRefusal) in try tree.remove(written.component) }
      }
    }
    for reminder in wanted {
      let alarm = SyntaxTree(bytes: try reminder.text())
      guard let copied = alarm.root.components.first else { throw .badReminder }
      try editing { tree throws(EditRefusal) in _ = try tree.insert(copied, in: component) }
    }
  }

  private mutating func editing(
    _ change: (inout SyntaxTree) throws(EditRefusal) -> Void
  ) throws(EventStoreError) {
    do throws(EditRefusal) { try change(&self) } catch { throw .refused(.brokenText) }
  }
}

extension Reminder {
  private static let frame = Array("BEGIN:VALARM\r\nEND:VALARM\r\n".utf8)

  /// The VALARM. DISPLAY needs a DESCRIPTION (RFC 5545 §3.6.6).
  fileprivate func text() throws(EventStoreError) -> [UInt8] {
    let word = Array(action.utf8)
    guard !word.isEmpty, word.allSatisfy(isWordByte), let trigger = trigger.property else {
      throw .badReminder
    }
    var tree = SyntaxTree(bytes: Self.frame)
    guard let alarm = tree.root.components.first?.id else { throw .badReminder }
    var lines = [Property("ACTION", value: action.uppercased()), trigger]
    if action.uppercased() == "DISPLAY" { lines.append(Property("DESCRIPTION", text: "Reminder")) }
    do throws(EditRefusal) {
      for line in lines { try tree.insert(line, in: alarm) }
    } catch {
      throw .badReminder
    }
    return tree.bytes
  }
}

private func isWordByte(_ byte: UInt8) -> Bool {
  ((byte | 0x20) &- 0x61) < 26 || (byte &- 0x30) < 10 || byte == UInt8(ascii: "-")
}
