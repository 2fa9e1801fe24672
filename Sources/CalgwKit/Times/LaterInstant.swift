import SyncModel

extension Instant {
  /// So much later, or at the end of time.
  func after(_ length: Duration) -> Instant {
    advanced(by: length.milliseconds)
  }
}
