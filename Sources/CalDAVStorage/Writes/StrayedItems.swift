import SyncModel
import WebDAV

/// Servers that store new items under names of their own, and do not all say so (`Location`): what
/// is not at its name may be at another, and sent again it would be there twice.
extension CalDAVStorage {
  /// Of more items than this nobody reads all for the sake of one: the next run looks.
  private static let mostSearched = 200

  /// Whether a new item whose sending had no answer, and that is not at its name, is nowhere in the
  /// calendar; of any other write, true.
  ///
  /// Where nobody knows yet whether the server keeps names, another new item may show it, for one
  /// request. If there is none, all that the calendar lists is read.
  func isNowhere(_ write: GuardedWrite, _ address: WebURL) async -> Bool {
    guard case .create(let href, let data) = write else { return true }
    if !memory.knows(.keepsNames) { await lookAtAnswered() }
    if memory.knows(.keepsNames) { return true }
    guard !hidesItems, let uid = ItemText.lineOfUID(data.bytes),
      let items = try? await listTags(), items.count <= Self.mostSearched
    else { return false }
    let hrefs = items.map(\.href)
    if hrefs.contains(href) { return false }
    withRunMemory { $0.strayed[uid] = href }
    guard let outcomes = try? await readAll(hrefs) else { return false }
    let areRead = outcomes.allSatisfy { outcome in
      if case .problem = outcome.result { false } else { true }
    }
    return areRead && !memory.ignores(.keepsNames)
  }

  /// Looks at a new item that the server said to have stored, if any was not seen yet.
  private func lookAtAnswered() async {
    let new = withRunMemory { run in
      run.sent.filter { $0.value.isAnswered && $0.value.replaced == nil }.keys.min()
    }
    if let address = new.flatMap(address) { _ = await get(address) }
  }

  /// Learns from the place where a look shows a new item that was not at its name before.
  func noteStray(_ text: [UInt8], at place: Href) {
    guard withRunMemory({ !$0.strayed.isEmpty }), let uid = ItemText.lineOfUID(text),
      let asked = withRunMemory({ $0.strayed.removeValue(forKey: uid) })
    else { return }
    memory.learn(.keepsNames, asked == place, "PUT \(asked.text)", "it is at \(place.text)")
  }
}
