public import SyncModel

/// Where an account's calendars are, and what the search was like that found them there: what a run
/// remembers for the next one.
public struct FoundLocation: Sendable, Hashable {
  /// After so long the account is searched for anew: it may have more homes by now. 24 hours in
  /// milliseconds.
  private static let lifetime: Int64 = 24 * 3600 * 1000
  /// After so long a search that came to nothing is made again: an hour.
  private static let pause: Int64 = 3600 * 1000
  /// Behind a location that the account's URL itself led to.
  private static let named = " !"

  public var location: AccountLocation
  /// It was not the account's URL itself that led there.
  public var isGuessed: Bool
  /// Of its home sets those that have failed since the search: one that does so again is no reason
  /// to search anew.
  public var failedHomes: Set<String>
  /// When the account was searched for; nil where an earlier release has found it.
  public var foundAt: Instant?
  /// The names of the `TrustedHosts` of that time; nil where an earlier release has found it.
  public var trusting: Set<String>?
  /// Home sets that the search found named on servers for which nobody has vouched, one a server.
  public var homesElsewhere: [String]
  /// Of its home sets those that did not answer for now when they were asked for last, in that
  /// order: they are asked for after the others.
  package internal(set) var ailingHomes: [String] = []

  /// - Parameters:
  ///   - foundAt: when the search was; nil where nobody knows.
  ///   - hosts: those that were vouched for at that time.
  ///   - homes: those on other servers.
  public init(
    _ location: AccountLocation, isGuessed: Bool = false, failedHomes: Set<String> = [],
    foundAt: Instant?, trusting hosts: TrustedHosts = TrustedHosts(),
    elsewhere homes: [String] = []
  ) {
    self.location = location
    self.isGuessed = isGuessed
    self.failedHomes = failedHomes
    self.foundAt = foundAt
    trusting = Set(hosts.names)
    homesElsewhere = homes
  }

  /// It is to be searched for anew: once a day, and where other servers are vouched for than at
  /// that time. A clock that went back says nothing of the age. What is one calendar has nothing
  /// that could be added.
  func isDue(at now: Instant, trusting hosts: TrustedHosts) -> Bool {
    guard case .homeSets = location else { return false }
    guard let foundAt, trusting != nil, isTrusting(hosts) else { return true }
    return !(0..<Self.lifetime).contains(now.milliseconds(since: foundAt))
  }

  /// Nobody vouches for other servers than at that time, as far as is known.
  func isTrusting(_ hosts: TrustedHosts) -> Bool {
    guard let trusting else { return true }
    return trusting == Set(hosts.names)
  }

  /// Takes down a search after which the location is what it was.
  ///
  /// - Parameters:
  ///   - isInVain: it could not be carried to its end, and is due again after an hour.
  ///   - homes: those that it found on other servers; nil: as before.
  mutating func noteSearch(
    at now: Instant, trusting hosts: TrustedHosts, isInVain: Bool, elsewhere homes: [String]?
  ) {
    let age = isInVain ? Self.lifetime - Self.pause : 0
    foundAt = Instant(milliseconds: now.milliseconds &- age)
    trusting = Set(hosts.names)
    homesElsewhere = homes ?? homesElsewhere
  }

  /// Takes down which home sets did not answer for now, in the order in which they were asked for,
  /// and which did. Those of which nothing is known stay what they are.
  mutating func note(ailing homes: [String], answered: [String]) {
    let known = Set(homes + answered)
    ailingHomes = ailingHomes.filter { !known.contains($0) } + homes
  }

  /// Lines of text, to be kept: the location, and then what else there is, a line each. An earlier
  /// release reads the first line, and those of the homes that fail, and leaves out the others.
  public var encoded: String {
    var lines = [location.encoded + (isGuessed ? "" : Self.named)]
    let time = foundAt?.milliseconds ?? 0
    lines += failedHomes.sorted().map { "\(time) \($0)" }
    if let foundAt { lines.append("found \(foundAt.milliseconds)") }
    if let trusting { lines.append((["trusting"] + trusting.sorted()).joined(separator: " ")) }
    if !homesElsewhere.isEmpty {
      lines.append((["elsewhere"] + homesElsewhere).joined(separator: " "))
    }
    if !ailingHomes.isEmpty { lines.append((["ailing"] + ailingHomes).joined(separator: " ")) }
    return lines.joined(separator: "\n")
  }

  /// Reads what `encoded` gave, of earlier releases too; a line that says nothing is left out. Nil
  /// where there is no location.
  public init?(encoded: String) {
    let lines = encoded.split(separator: "\n")
    guard let first = lines.first else { return nil }
    let isNamed = first.hasSuffix(Self.named)
    let text = isNamed ? first.dropLast(Self.named.count) : first
    guard let location = AccountLocation(encoded: String(text)) else { return nil }
    self.init(location, isGuessed: !isNamed, foundAt: nil)
    trusting = nil
    for line in lines.dropFirst() {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "found"?:
        foundAt = words.dropFirst().first.flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
      case "trusting"?: trusting = Set(words.dropFirst())
      case "elsewhere"?: homesElsewhere = Array(words.dropFirst())
      case "ailing"?: ailingHomes = Array(words.dropFirst())
      case let time? where words.count == 2 && Int64(time) != nil: failedHomes.insert(words[1])
      default: continue
      }
    }
  }
}
