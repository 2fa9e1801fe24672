import WebDAV

/// Somebody who can open a page and allow calgw in.
public struct SignInPerson: Sendable {
  /// Shows a text of some lines, which may hold an address.
  public var show: @Sendable (String) -> Void
  /// Where the address to which the browser was sent can be typed, one line: for a browser on
  /// another machine.
  public var input: Int32?
  /// The run was told to stop.
  package var isCalledOff: @Sendable () -> Bool = { false }

  public init(show: @escaping @Sendable (String) -> Void, input: Int32? = nil) {
    self.show = show
    self.input = input
  }

  /// How long calgw waits for a person: time to find a phone for the second factor.
  static let patience = Duration.seconds(300)

  /// Nobody is waited for any more. Looked at often, so that who gives up does not wait himself.
  var isLeaving: Bool { isCalledOff() || Task.isCancelled }

  /// What a sign-in ends with where nothing came of the waiting.
  func failure(_ message: String) -> TokenFailure {
    .failed(
      DAVError(
        isLeaving ? .stopped : .denied, message, hint: "run the command again",
        mayHaveActed: false))
  }
}
