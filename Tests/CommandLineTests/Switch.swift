import Synchronization

/// What a test turns on while a server answers on threads of its own.
final class Switch: Sendable {
  private let state = Mutex(false)

  var isOn: Bool { state.withLock { $0 } }

  func turn(_ isOn: Bool) { state.withLock { $0 = isOn } }
}
