import FoundationEssentials
import ICalendar
import Recurrence

/// Answers the lines of `expand --batch`: `{"id","ics","from","to"}` gives
/// `{"id","instances":[…]}` or `{"id","error"}`, one line each.
public struct ExpandBatch: Sendable {
  private let zone: Zone
  private let includesCancelled: Bool
  /// Seconds from 1970 UTC.
  private let now: Int

  /// In bytes. An item of 16 MiB, what a vdir's largest may be, fits with its escapes.
  public static let lineLimit = 48 * 1024 * 1024

  /// - Parameters:
  ///   - zone: Where floating times and dates are placed; nil: UTC.
  ///   - now: What `today` and the like in `from` and `to` count from, in seconds from 1970 UTC.
  public init(zone: String?, includesCancelled: Bool, now: Int) throws(RunFailure) {
    if let zone { self.zone = try namedZone(zone, option: "--tz") } else { self.zone = .utc }
    self.includesCancelled = includesCancelled
    self.now = now
  }

  /// The answer to a line; never fails.
  public func answer(_ line: [UInt8]) -> JSONValue {
    let request: BatchRequest
    do {
      request = try JSONDecoder().decode(BatchRequest.self, from: Data(line))
    } catch {
      return refusal(.null, "the line is no object with the strings \"ics\", \"from\" and \"to\"")
    }
    if request.isMistyped {
      return refusal(request.id, "\"ics\", \"from\" and \"to\" are no strings")
    }
    guard let ics = request.ics else { return refusal(request.id, "\"ics\" is missing") }
    let window: AgendaWindow
    do throws(BatchError) {
      window = try self.window(request)
    } catch {
      return refusal(request.id, error.message)
    }
    let tree = SyntaxTree(bytes: Array(ics.utf8))
    if let trouble = tree.wholeness.trouble { return refusal(request.id, trouble) }
    let file = EventFile(path: [], calendar: AgendaCalendar(name: ""))
    let series = ItemSeries.all(
      in: CalendarObject(tree), of: file, catalog: .system, placement: zone)
    return answer(request.id, FileExpansion(series, window))
  }

  /// The answer to a line that is longer than `lineLimit`.
  public func refuseLongLine() -> JSONValue {
    refusal(.null, "the line is longer than \(Self.lineLimit) bytes")
  }

  private func answer(_ id: JSONValue, _ expansion: FileExpansion) -> JSONValue {
    if expansion.isTooMany {
      return refusal(
        id, "a series has more than \(FileExpansion.limit) occurrences in this time")
    }
    if let clash = expansion.zoneClashes.first { return refusal(id, clash) }
    if let limit = expansion.searchLimits.first { return refusal(id, limit.reason) }
    var members: [JSONValue.Member] = [
      .init(name: "id", value: id),
      .init(
        name: "instances", value: .array(expansion.entries.sorted(by: <).map(\.instanceJSON))),
    ]
    if expansion.isCut { members.append(.init(name: "truncated", value: .boolean(true))) }
    if let note = expansion.unreadNote {
      members.append(.init(name: "note", value: .string(note)))
    }
    return .object(members)
  }

  private func refusal(_ id: JSONValue, _ message: String) -> JSONValue {
    .object(("id", id), ("error", .string(message)))
  }

  private struct BatchError: Error {
    var message: String
  }

  private func window(_ request: BatchRequest) throws(BatchError) -> AgendaWindow {
    let from = try instant(request.from, "from") ?? Int.min
    let to = try instant(request.to, "to")
    if let to, to <= from { throw BatchError(message: "\"to\" is not after \"from\"") }
    return AgendaWindow(
      OccurrenceWindow(from: from, to: to ?? Int.max),
      first: to == nil ? AgendaWindow.usualFirst : nil, includesCancelled: includesCancelled,
      placement: zone)
  }

  private func instant(_ text: String?, _ name: String) throws(BatchError) -> Int? {
    guard let text else { return nil }
    do {
      return try HumanTime.parse(text, now: now, zone: zone).instant(in: zone)
    } catch {
      throw BatchError(message: "\"\(name)\": \(error.message)")
    }
  }
}

/// A line of a batch. Keys that are not known are ignored.
private struct BatchRequest: Decodable {
  /// What is given back as it is: a string, a number, a boolean or null.
  var id: JSONValue
  var ics: String?
  var from: String?
  var to: String?
  /// One of the three is no string.
  private(set) var isMistyped = false

  private enum Key: String, CodingKey {
    case id, ics, from, to
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let text = try? values.decode(String.self, forKey: .id) {
      id = .string(text)
    } else if let number = try? values.decode(Int64.self, forKey: .id) {
      id = .integer(number)
    } else if let boolean = try? values.decode(Bool.self, forKey: .id) {
      id = .boolean(boolean)
    } else {
      id = .null
    }
    for key in [Key.ics, .from, .to] {
      do {
        switch key {
        case .id: break
        case .ics: ics = try values.decodeIfPresent(String.self, forKey: key)
        case .from: from = try values.decodeIfPresent(String.self, forKey: key)
        case .to: to = try values.decodeIfPresent(String.self, forKey: key)
        }
      } catch {
        isMistyped = true
      }
    }
  }
}
