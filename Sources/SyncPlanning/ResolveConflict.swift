public import SyncModel

/// Says which side wins as a whole where both changed an item; nil: none does by itself.
///
/// `newest` goes by the times of edit (`EditTimes`).
public func winner(
  _ local: ItemVersion, _ remote: ItemVersion, base: Agreement?, policy: ConflictPolicy,
  by clocks: Clocks
) -> Side? {
  switch policy {
  case .local: .local
  case .remote: .remote
  case .newest: EditTimes(local, remote, since: base, by: clocks).newer
  case .merge, .ask: nil
  }
}
