import SyncModel
import WebDAV

/// Names, colours and descriptions that make a whole answer unreadable, as a control character in
/// the name of one calendar does: no XML can carry it (XML 1.0 §2.2), and servers send it all the
/// same. All other calendars, and what else is known of that one, are told without them.
extension Discovery {
  struct Description {
    let answer: MultistatusAnswer
    /// When it was asked for.
    let askedAt: Instant
    /// What people have written there was not asked for.
    var lacksTexts = false
  }

  /// Asks for all that describes a place or, at depth 1, what is in it; a second time, without the
  /// texts, where the answer is no well-formed XML.
  func describe(_ place: WebURL, depth: Int) async throws(DAVError) -> Description {
    func request(_ names: [XMLName]) -> DAVRequest {
      PropertyRequests.propfind(place, depth: depth, names)
    }
    var askedAt = now()
    do throws(DAVError) {
      let answer = try await ask(request(PropertyRequests.description))
      return Description(answer: answer, askedAt: askedAt)
    } catch {
      guard error.kind == .illFormed else { throw error }
      askedAt = now()
      let answer = try await ask(request(PropertyRequests.structure))
      return Description(answer: answer, askedAt: askedAt, lacksTexts: true)
    }
  }

  /// Asks each calendar for its texts alone: those of one are no reason to do without the others'.
  func addTexts(to calendars: inout [RemoteCalendar]) async throws(StorageError) {
    for index in calendars.indices {
      let request = PropertyRequests.propfind(
        calendars[index].url, depth: 0, PropertyRequests.texts)
      do throws(DAVError) {
        guard case .multistatus(let multistatus, _) = try await ask(request),
          let own = multistatus.responses.first, own.isSuccess
        else {
          calendars[index].lacksTexts = true
          continue
        }
        calendars[index].add(texts: own.properties)
      } catch {
        guard error.kind == .illFormed else { throw StorageError(error) }
        calendars[index].lacksTexts = true
      }
    }
  }
}

extension RemoteCalendar {
  /// Why nobody knows what people have written there, and what to do.
  static let textsAreUnread =
    "the server gives no answer with them that can be read, since one holds a control character,"
    + " perhaps; give it another name and description there, with another program"

  /// The same of a single one that is longer than any that is kept.
  static let textIsTooLong =
    "it is longer than \(XMLLimits().text) bytes; give it a shorter one there, with another program"
}
