public import SyncModel
import WebDAV

extension CalDAVAccount {
  /// Sets properties one by one, then reads them back: what the server shows is what counts, since
  /// some answer with success and keep their own (order), and some keep another form (colour). What
  /// it showed before says nothing yet: some show a new value seconds later (Infomaniak: 10 s).
  ///
  /// A calendar that a new name has moved to another address (Zimbra) is given with its new one.
  public func setMetadata(
    _ values: [MetadataKey: String], of collection: CollectionDescription
  ) async throws(StorageError) -> MetadataOutcome {
    let address = try resolve(collection.href)
    var fates: [MetadataKey: MetadataFate] = [:]
    var doubts: [MetadataKey: String] = [:]
    // The name comes last: the others would miss a calendar that it has moved.
    for key in MetadataKey.allCases.filter({ $0 != .displayname }) + [.displayname] {
      guard let value = values[key] else { continue }
      do throws(DAVError) {
        fates[key] = try await set(key, value, at: address, &doubts)
      } catch {
        // What a server that gave no answer made of it may show in what is read back.
        guard error.mayHaveActed else { throw StorageError(error) }
        fates[key] = .failed(StorageError(error))
      }
    }
    let now: CollectionDescription
    do throws(StorageError) {
      let calendar = try await look(at: address)
      keep([calendar])
      now = calendar.description
    } catch {
      guard error.kind == .vanished, let name = values[.displayname], !name.isEmpty else {
        throw error
      }
      now = try await moved(collection, to: name, error)
    }
    for key in MetadataKey.allCases where fates[key] == nil {
      if values[key] != nil, let why = now.oddValues[key] {
        fates[key] = .failed(
          StorageError(
            .protocolBroken, "the \(key.rawValue) cannot be read back", hint: why))
        continue
      }
      guard let value = values[key], let shown = now[key], !key.isForm(shown, of: value) else {
        continue
      }
      let isOld = collection[key].map { key.isForm(shown, of: $0) } ?? false
      fates[key] = isOld ? .notShown : .replaced
    }
    return MetadataOutcome(now, fates: fates, doubts: doubts)
  }

  /// Nil where the server says that it has taken it.
  private func set(
    _ key: MetadataKey, _ value: String, at address: WebURL, _ doubts: inout [MetadataKey: String]
  ) async throws(DAVError) -> MetadataFate? {
    let wanted = value.isEmpty ? nil : key.wireValue(value)
    let request = PropertyRequests.proppatch(address, key.property, wanted)
    let (answer, sink) = try await client.send(request) {
      BytesSink(limit: 64 << 10, dropsExcess: true)
    }
    let status = InnerStatus.of(answer, body: sink.bytes)
    if (200...299).contains(status) {
      guard answer.isHTML else { return nil }
      return .failed(StorageError(DAVClient.noDAV(answer, "PROPPATCH \(answer.url.shown)")))
    }
    let words = DAVRefusal(answer, body: sink.bytes).words
    let refusal = DAVRefusal(status: status, url: answer.url, words: words)
    let isFault = Self.isFault(status)
    guard isFault || Self.mayPass(status) else { return .refused(refusal.reason) }
    if isFault { doubts[key] = refusal.reason }
    return .failed(StorageError(refusal, doing: "setting the \(key.rawValue)"))
  }

  /// The same value may be taken another time: the server is busy or locked, what stands before it
  /// does not reach it, or it did not know who asked.
  private static func mayPass(_ status: Int) -> Bool {
    [401, 408, 423, 425, 429, 502, 503, 504].contains(status)
  }

  /// The server fails, at this value or since it is in trouble: the same answer is given to both.
  /// It may have room another time (507); what it does not know (501) is refused.
  private static func isFault(_ status: Int) -> Bool {
    status >= 500 && status != 501 && !mayPass(status)
  }

  private func moved(
    _ collection: CollectionDescription, to name: String, _ error: StorageError
  ) async throws(StorageError) -> CollectionDescription {
    let known = Set(allKnown.filter { $0 != collection.href })
    let named = try await listCollections().filter {
      !known.contains($0.href) && MetadataKey.displayname.isForm($0.displayName ?? "", of: name)
    }
    guard named.count == 1, let found = named.first else { throw error }
    return found
  }
}

extension MetadataKey {
  var property: XMLName {
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
    let alpha = color == opaqueColor(color) ? "FF" : ""
    return Array((color.uppercased() + alpha).utf8)
  }

  /// What a server shows is what it was given, in a form of its own or in that of our reading. Many
  /// keep no alpha of a colour.
  func isForm(_ shown: String, of given: String) -> Bool {
    if form(shown) == form(given) { return true }
    guard self == .color, let opaque = opaqueColor(given) else { return false }
    return form(shown) == opaque
  }

  private func form(_ value: String) -> String {
    // DAViCal gives `&` back as `&amp;`: taken for the value, it would be escaped once more.
    let plain = Self.entities.reduce(value) { $0.replacing($1.0, with: $1.1) }
    return switch self {
    case .displayname: KeptText.line(Array(plain.utf8)) ?? ""
    case .color: normalColor(plain) ?? plain
    case .description: KeptText.lines(Array(plain.utf8)) ?? ""
    case .order: Int(plain).map(String.init) ?? plain
    }
  }

  /// The ampersand comes last: what it is part of is not to be read twice.
  private static let entities = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#039;", "'"),
    ("&apos;", "'"), ("&amp;", "&"),
  ]
}
