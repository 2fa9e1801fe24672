import SyncModel

extension Instant {
  /// So much later, or at the end of time.
  func after(_ length: Duration) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(length.milliseconds)
    let end: Int64 = length < .zero ? .min : .max
    return Instant(milliseconds: overflow ? end : sum)
  }
}
