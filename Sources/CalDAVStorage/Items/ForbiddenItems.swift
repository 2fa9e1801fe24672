import SyncModel
import WebDAV

extension Look {
  /// The server answered 403.
  var isForbidden: Bool {
    if case .problem(_, isForbidden: true) = self { true } else { false }
  }
}

/// Robur answers 403 for whatever is missing, where others answer 404.
extension CalDAVStorage {
  /// The looks as they are, but absent where a 403 stands for that. It takes proof, since who takes
  /// a forbidden item for a deleted one deletes it here: a name that nothing can have is forbidden
  /// in the same way, and a whole listing of the calendar does not have the item.
  func settled(
    _ looks: [Look?], at addresses: [WebURL?]
  ) async throws(StorageError) -> [Look?] {
    guard looks.contains(where: { $0?.isForbidden ?? false }), try await forbidsWhatIsMissing(),
      let listed = try await listedKeys()
    else { return looks }
    return zip(looks, addresses).map { look, address -> Look? in
      let isListed = address.map { listed.contains($0.pathKey) } ?? true
      return (look?.isForbidden ?? false) && !isListed ? Look.absent : look
    }
  }

  /// Asks for a random name, once for all items.
  private func forbidsWhatIsMissing() async throws(StorageError) -> Bool {
    if let known = withProgress({ $0.forbidsMissing }) { return known }
    let name = Array("\(surroundings.newUUID()).ics".utf8)
    let look = await get(url.appending(segment: name))
    switch look {
    case .failed(let error): throw error
    case .absent, .found, .problem, .unusable, .large:
      let isForbidden = look.isForbidden
      withProgress { $0.forbidsMissing = isForbidden }
      return isForbidden
    }
  }

  /// The keys of all that a whole listing names (PROPFIND, Depth 1); nil where there is none, or
  /// something in it cannot be made out.
  private func listedKeys() async throws(StorageError) -> Set<[UInt8]>? {
    let request = PropertyRequests.propfind(url, depth: 1, PropertyRequests.listing)
    let answer: MultistatusAnswer
    do throws(StorageError) { answer = try await ask(request) } catch {
      guard error.isAboutOneAddress else { throw error }
      return nil
    }
    guard case .multistatus(let multistatus, let source) = answer,
      source.isSameCollection(as: url)
    else { return nil }
    var keys: Set<[UInt8]> = []
    var namesItself = false
    for response in multistatus.responses {
      guard response.status != 507, let address = try? source.resolve(href: response.href) else {
        return nil
      }
      if address.isSameCollection(as: source) { namesItself = response.isSuccess }
      if !response.isGone { keys.insert(address.pathKey) }
    }
    return namesItself ? keys : nil
  }
}
