/// Something that somebody else than the calgw under test does, or that happens to its world.
public struct Act: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    // MARK: A person and his programs, in the folder
    /// Writes a new file and renames it over the old one, as vim does.
    case localSave = "local-save"
    /// Truncates and writes the file in place, in one go.
    case localOverwrite = "local-overwrite"
    /// Truncates the file and keeps it open; it is written by `localFinish`, or when all is over.
    case localTruncate = "local-truncate"
    /// The same, with half of the new text written.
    case localHalf = "local-half"
    case localFinish = "local-finish"
    case localDelete = "local-delete"
    case localRename = "local-rename"
    /// The file and the next one in the folder get each other's names.
    case localExchange = "local-exchange"
    /// A second file with the same UID.
    case localCopy = "local-copy"
    /// The file gets the content of another item, with a new UID.
    case localRecreate = "local-recreate"
    /// Saves a text that is cut off, and leaves it so.
    case localBreak = "local-break"
    /// Swap files, backups and locks appear beside the item.
    case localLeftovers = "local-leftovers"
    /// Another sync tool leaves a copy of its own conflict.
    case localConflictCopy = "local-conflict-copy"
    /// A save whose mtime is set back to what it was.
    case localSameTime = "local-same-time"
    /// Every file is written anew; this item gets another content.
    case localCheckout = "local-checkout"
    case localDirectory = "local-directory"
    case localLink = "local-link"
    case localFIFO = "local-fifo"
    /// The next listing does not show the file.
    case localHide = "local-hide"
    /// The next listing shows the file twice.
    case localDouble = "local-double"
    /// A file with another letter case in its name.
    case localRecase = "local-recase"
    /// A program stores the item with new times and a new counter, and nothing else.
    case localTouch = "local-touch"

    // MARK: Another client of the server
    case remoteSave = "remote-save"
    case remoteDelete = "remote-delete"
    /// The item at this UID's address becomes another item, with a new UID.
    case remoteRecreate = "remote-recreate"
    /// A new tag for the old content.
    case remoteRetag = "remote-retag"
    /// A program stores the item with new times and a new counter, and nothing else.
    case remoteTouch = "remote-touch"
    /// The same item at another address.
    case remoteMove = "remote-move"
    case remoteCopy = "remote-copy"
    /// The server notes SCHEDULE-STATUS on an attendee.
    case remoteSchedule = "remote-schedule"
    /// The server writes the item's definition of a time zone anew, as for a new tzdata.
    case remoteZones = "remote-zones"
    /// A text with a control character, which XML cannot carry.
    case remoteControl = "remote-control"
    case remoteBreak = "remote-break"

    // MARK: Both
    /// The same edit on both sides.
    case bothSave = "both-save"

    // MARK: What happens to the world
    case calendarHide = "calendar-hide"
    case calendarShow = "calendar-show"
    /// The calendar is deleted with all that is in it, and another one is made at its address.
    case calendarRemake = "calendar-remake"
    case accessRevoke = "access-revoke"
    case accessGrant = "access-grant"
    case clockStep = "clock-step"
    case serverClockStep = "server-clock-step"
    case journalLose = "journal-lose"
    case journalCopy = "journal-copy"
    case journalRestore = "journal-restore"
    case journalBlank = "journal-blank"
    /// The whole folder is deleted.
    case folderDelete = "folder-delete"
    /// The folder is replaced by a copy of itself.
    case folderReplace = "folder-replace"
    case folderUnmount = "folder-unmount"
    case folderMount = "folder-mount"
    /// A backup of the folder is made, and brought back in place.
    case folderBackup = "folder-backup"
    case folderRestore = "folder-restore"
    /// Another calgw, with a folder and a journal of its own, syncs the same calendar.
    case otherSync = "other-sync"
    case otherSave = "other-save"
    case otherDelete = "other-delete"
    /// The run is told to stop, as by SIGINT.
    case interrupt
  }

  public var kind: Kind
  public var uid: String
  /// A version, milliseconds or the like, as the kind needs it.
  public var number: Int
  /// What a save changes; nil: the number says whether it is the title, the place or the start.
  public var part: Part?

  public init(_ kind: Kind, _ uid: String = "-", _ number: Int = 0, part: Part? = nil) {
    self.kind = kind
    self.uid = uid
    self.number = number
    self.part = part
  }

  /// A part of an item that a person edits.
  public enum Part: String, Sendable, CaseIterable {
    case title, place, notes, words, start, alarm
    /// A task is done so far.
    case progress
    /// Of a series: its rule; an occurrence that is cancelled; the title of one; the time of one.
    case rule, off, once, moved
  }

  /// It is about this item, which a server may have given another UID.
  func isAbout(_ item: String) -> Bool { ItemText.realUID(uid) == ItemText.sentUID(item) }

  public var description: String {
    "\(kind.rawValue) \(uid) \(number)" + (part.map { " \($0.rawValue)" } ?? "")
  }

  /// Reads what `description` gives.
  init?(words: ArraySlice<Substring>) {
    let words = Array(words)
    guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else { return nil }
    self.kind = kind
    uid = words.count > 1 ? String(words[1]) : "-"
    number = words.count > 2 ? Int(words[2]) ?? 0 : 0
    part = words.count > 3 ? Part(rawValue: String(words[3])) : nil
  }
}
