import SyncModel
import WebDAV

extension Look {
  /// The server answered 403: there may be nothing to give.
  var isForbidden: Bool {
    if case .problem(_, status: 403) = self { true } else { false }
  }
}

/// Robur answers 403 for whatever is missing, where others answer 404.
extension CalDAVStorage {
  /// The looks as they are, but absent where a 403 stands for that. It takes proof, since who takes
  /// a forbidden item for a deleted one deletes it here: a name that nothing can have is forbidden
  /// in the same way, a whole listing of the calendar does not have the item, and what that lists
  /// is given; of a calendar that lists nothing the server has to say that the account may read it.
  /// So one that ceases to be readable proves nothing.
  func settled(
    _ looks: [Look?], at addresses: [WebURL?]
  ) async throws(StorageError) -> [Look?] {
    guard looks.contains(where: { $0?.isForbidden ?? false }), try await forbidsWhatIsMissing(),
      let listed = try await listedItems()
    else { return looks }
    let keys = Set(listed.map(\.pathKey))
    let isUnlisted = zip(looks, addresses).map { look, address in
      (look?.isForbidden ?? false) && !(address.map { keys.contains($0.pathKey) } ?? true)
    }
    guard isUnlisted.contains(true) else { return looks }
    var isReadable = looks.contains { if case .found = $0 { true } else { false } }
    if !isReadable {
      isReadable = listed.isEmpty ? try await saysReadable() : try await givesAny(of: listed)
    }
    return looks.indices.map { index -> Look? in
      guard isUnlisted[index], let address = addresses[index] else { return looks[index] }
      if isReadable { return .absent }
      return listed.isEmpty
        ? .problem(.perhapsForbidden(address.shown), status: 403) : looks[index]
    }
  }

  /// Whether the server says that the account may read the calendar (RFC 3744 §5.4). An empty one
  /// has no item that would show it.
  private func saysReadable() async throws(StorageError) -> Bool {
    let request = PropertyRequests.propfind(url, depth: 0, [.dav("current-user-privilege-set")])
    let answer: MultistatusAnswer
    do throws(StorageError) { answer = try await ask(request) } catch {
      guard error.isAboutOneAddress else { throw error }
      return false
    }
    guard case .multistatus(let multistatus, let source) = answer, isOwn(source) else {
      return false
    }
    return multistatus.responses.contains { response in
      guard response.isSuccess, let address = try? source.resolve(href: response.href),
        let privileges = response.properties.privileges
      else { return false }
      return isOwn(address) && !privileges.isDisjoint(with: ["all", "read"])
    }
  }

  /// Asks for a random name, once for all items.
  private func forbidsWhatIsMissing() async throws(StorageError) -> Bool {
    if let known = withRunMemory({ $0.forbidsMissing }) { return known }
    let name = Array("\(surroundings.newUUID()).ics".utf8)
    let look = await get(url.appending(segment: name))
    switch look {
    case .failed(let error): throw error
    case .absent, .found, .problem, .unusable, .large:
      let isForbidden = look.isForbidden
      withRunMemory { $0.forbidsMissing = isForbidden }
      return isForbidden
    }
  }

  /// Whether the last item of a listing can be read, or the middle one, or the first: what is
  /// broken or forbidden in earnest is often listed together, as what one program put there.
  func givesAny(of listed: [WebURL]) async throws(StorageError) -> Bool {
    let last = listed.count - 1
    for index in Set([last, last / 2, 0]).sorted(by: >) where listed.indices.contains(index) {
      switch await get(listed[index]) {
      case .found: return true
      // The next one shows whether this one is alone with it.
      case .failed(let error) where isPerhapsItsOwn(error): continue
      case .failed(let error): throw error
      case .absent, .problem, .unusable, .large: continue
      }
    }
    return false
  }

  private func isPerhapsItsOwn(_ error: StorageError) -> Bool {
    (error.isAboutOneAddress || error.kind == .unreachable) && !client.isRefusedAtCollection
  }

  /// What a whole listing names (PROPFIND, Depth 1) besides the calendar; nil where there is none,
  /// or something in it cannot be made out.
  func listedItems() async throws(StorageError) -> [WebURL]? {
    let request = PropertyRequests.propfind(url, depth: 1, PropertyRequests.listing)
    let answer: MultistatusAnswer
    do throws(StorageError) { answer = try await ask(request) } catch {
      guard error.isAboutOneAddress else { throw error }
      return nil
    }
    guard case .multistatus(let multistatus, let source) = answer, isOwn(source) else {
      return nil
    }
    var items: [WebURL] = []
    var namesItself = false
    for response in multistatus.responses {
      guard response.status != 507, let address = try? source.resolve(href: response.href) else {
        return nil
      }
      if isOwn(address) {
        namesItself = response.isSuccess && response.failure == nil
      } else if !response.isGone {
        items.append(known(address))
      }
    }
    return namesItself ? items : nil
  }
}
