import SyncModel
import WebDAV

extension ItemProblem {
  /// What to do about an item that the server does not give as it should.
  static let correctOnServer =
    "correct it on the server, or take it away there: a file of it that nobody has edited here goes"
    + " too then, and `calgw restore` brings that back"

  /// What goes wrong at the address of one item, while the server gives the rest.
  init(_ code: Code, _ error: DAVError) {
    let hint =
      error.isBrokenOff
      ? "\(Self.correctOnServer); the others are not affected"
      : [error.hint, error.why].filter { !$0.isEmpty }.joined(separator: "; ")
    self.init(code, error.message, hint: hint)
  }
}
