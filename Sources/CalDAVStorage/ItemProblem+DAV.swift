import SyncModel
import WebDAV

extension ItemProblem {
  /// What to do about an item that the server does not give as it should.
  static let correctOnServer = correction + fileGoesToo

  /// The same by the status that it is answered with.
  static func mend(of status: Int?) -> String {
    switch status ?? 0 {
    case 403: "ask the calendar's owner for the right to read it, or leave it as it is"
    case 500...599: laterOrCorrect
    default: correctOnServer
    }
  }

  /// What the server answers in the place of an item.
  static func answered(_ status: Int, for name: String, isHTML: Bool = false) -> ItemProblem {
    ItemProblem(
      .brokenRemote,
      isHTML
        ? "the server gives a web page for \(name)"
        : "the server answers \(status) for \(name), which it lists",
      hint: mend(of: status) + sparesOthers)
  }

  /// What no listing names any more, where the server answers so for whatever is missing, and gives
  /// nothing of the calendar that would show that it may be read.
  static func perhapsForbidden(_ name: String) -> ItemProblem {
    ItemProblem(
      .brokenRemote,
      "the server answers 403 for \(name), which no listing has any more: it is gone, or may not be"
        + " read",
      hint: "if it was deleted there, make another item in that calendar there, and sync again: it"
        + " counts as deleted then; else ask the calendar's owner for the right to read it")
  }

  /// The server led to another address, and nothing is there.
  static func ledAstray(_ name: String, to answer: DAVAnswer) -> ItemProblem {
    ItemProblem(
      .brokenRemote,
      "the server leads from \(name) to \(answer.place), and answers \(answer.status) there",
      hint: "see in a browser whether it wants somebody to sign in, and run the sync again; if it"
        + " stays, tell the server's operator; the item stays as it is")
  }

  /// What to do where it may be given the next time that it is asked for.
  static let laterOrCorrect =
    "run the sync again later; if it stays, \(correctOnServer)"
  /// How the mend ends. New items here may have to wait for what is not given, and say so.
  static let sparesOthers = "; what else the server has is not affected"
  private static let correction = "correct it on the server, or take it away there"
  private static let fileGoesToo =
    ": a file of it that nobody has edited here goes too then, and stays in `calgw log`"

  /// Fits the mend to an item that was never here.
  package mutating func wasNeverHere() {
    hint = hint.replacing(Self.fileGoesToo, with: ": it was never here")
  }

  /// Nothing could guard a write to it, and what sends such a tag may mean it so.
  static func unsendableTag(of name: String) -> ItemProblem {
    ItemProblem(
      .brokenRemote, "the entity tag that the server gives \(name) holds a control character",
      hint: "tell the server's operator; the item stays as it is")
  }

  /// Nor can a tag that is as long as many items, and that no server would take back.
  static func longTag(of name: String) -> ItemProblem {
    ItemProblem(
      .brokenRemote,
      "the entity tag that the server gives \(name) is longer than \(XMLLimits().text) bytes",
      hint: "tell the server's operator; the item stays as it is")
  }

  /// What is wrong with the entity tag of an item in a multistatus; nil: nothing.
  static func ofTag(in properties: DAVProperties, _ name: String) -> ItemProblem? {
    if properties.tooLong.contains(.dav("getetag")) { return longTag(of: name) }
    return EntityTag.isUnsendable(properties.entityTag) ? unsendableTag(of: name) : nil
  }

  /// What goes wrong at the address of one item, while the server gives the rest.
  init(_ code: Code, _ error: DAVError) {
    let hint =
      error.isBrokenOff
      ? Self.laterOrCorrect + Self.sparesOthers
      : [error.hint, error.why].filter { !$0.isEmpty }.joined(separator: "; ")
    self.init(code, error.message, hint: hint)
  }
}
