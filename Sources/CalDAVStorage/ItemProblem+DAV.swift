import SyncModel
import WebDAV

extension ItemProblem {
  /// What goes wrong at the address of one item, while the server gives the rest.
  init(_ code: Code, _ error: DAVError) {
    let hint =
      error.isBrokenOff
      ? "look at the item on the server; the others are not affected"
      : [error.hint, error.why].filter { !$0.isEmpty }.joined(separator: "; ")
    self.init(code, error.message, hint: hint)
  }
}
