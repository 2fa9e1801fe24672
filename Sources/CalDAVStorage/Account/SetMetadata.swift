public import SyncModel
import WebDAV

extension CalDAVAccount {
  /// Sets properties one by one, then reads them back: what the server shows is what counts, since
  /// some answer with success and keep their own (order), and some keep another form (colour).
  ///
  /// A calendar that a new name has moved to another address (Zimbra) is given with its new one.
  public func setMetadata(
    _ values: [MetadataKey: String], of collection: CollectionDescription
  ) async throws(StorageError) -> CollectionDescription {
    let address = try resolve(collection.href)
    var unanswered: DAVError?
    // The name comes last: the others would miss a calendar that it has moved.
    for key in MetadataKey.allCases.filter({ $0 != .displayname }) + [.displayname] {
      guard let value = values[key] else { continue }
      let request = PropertyRequests.proppatch(address, key.property, key.wireValue(value))
      do throws(DAVError) {
        // A refusal shows in what is read back.
        _ = try await client.send(request) { BytesSink(limit: 64 << 10, dropsExcess: true) }
      } catch {
        // What a server that gave no answer made of it may show in what is read back.
        guard error.mayHaveActed else { throw StorageError(error) }
        unanswered = unanswered ?? error
      }
    }
    let calendar: RemoteCalendar
    do throws(StorageError) {
      calendar = try await look(at: address)
    } catch {
      guard error.kind == .vanished, let name = values[.displayname] else { throw error }
      let moved = try await moved(collection, to: name, error)
      if let unanswered, !shows(values, moved) { throw StorageError(unanswered) }
      return moved
    }
    if let unanswered, !shows(values, calendar.description) { throw StorageError(unanswered) }
    keep([calendar])
    return calendar.description
  }

  private func shows(
    _ values: [MetadataKey: String], _ collection: CollectionDescription
  ) -> Bool {
    MetadataKey.allCases.allSatisfy { key in
      guard let wanted = values[key] else { return true }
      guard let shown = collection[key] else { return false }
      return key == .color ? normalColor(shown) == normalColor(wanted) : shown == wanted
    }
  }

  private func moved(
    _ collection: CollectionDescription, to name: String, _ error: StorageError
  ) async throws(StorageError) -> CollectionDescription {
    let known = Set(allKnown.filter { $0 != collection.href })
    let named = try await listCollections().filter {
      $0.displayName == name && !known.contains($0.href)
    }
    guard named.count == 1, let found = named.first else { throw error }
    return found
  }
}

extension MetadataKey {
  fileprivate var property: XMLName {
    switch self {
    case .displayname: .dav("displayname")
    case .color: XMLName(.apple, "calendar-color")
    case .description: .caldav("calendar-description")
    case .order: XMLName(.apple, "calendar-order")
    }
  }

  fileprivate func wireValue(_ value: String) -> [UInt8] {
    guard self == .color, let color = normalColor(value) else { return Array(value.utf8) }
    // SOGo takes nothing but eight digits in upper case.
    return Array((color.uppercased() + "FF").utf8)
  }
}
