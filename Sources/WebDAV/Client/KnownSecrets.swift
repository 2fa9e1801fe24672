private import Synchronization

/// The secrets that calgw uses at a server, to be taken out of what the server says before anybody
/// reads it: a server, or a proxy before it, may send back what it was sent.
///
/// They are found by value, in any case of letters: a password or a token as it is, with any of its
/// letters percent-coded, as entities of a page or with backslashes, also twice, and in Base64; and
/// a user name and its password in Base64 together, as Basic has them. So is the hash in an echoed
/// header of Digest.
///
/// What has fewer than four bytes is in too many words to be looked for, and so is shown where a
/// server sends it back bare; in Base64 with the user name it is found all the same. A password
/// that is a part of its user name cannot be told from the name, which is no secret. What a server
/// has changed in any other way, as by spelling it backwards, cannot be found. And only words for
/// people are looked through: what calgw has to give back as it came (addresses, entity tags,
/// tokens of a listing) and what is synced (items, names of calendars) is data.
package final class KnownSecrets: Sendable, CustomStringConvertible {
  /// Bytes of what is looked for.
  private static let shortest = 4
  /// Bytes of what stands in no address by chance, as a common word that is a password does.
  private static let unmistakable = 12
  /// Secrets that are kept; tokens that are renewed each hour make it some weeks.
  private static let most = 1000
  /// What stands in place of a secret.
  private static let placeholder = Array("[secret]".utf8)

  private struct Spelled {
    /// With its user name.
    let secret: [UInt8]
    /// In lower case.
    let forms: Set<[UInt8]>
    /// It is a part of an address that is asked for.
    let isAddress: Bool
  }

  private let known = Mutex<[Spelled]>([])

  package init() {}

  /// Shows nothing of them.
  package var description: String { "(secrets)" }

  /// - Parameter username: what goes with a password; empty for a token.
  package func add(_ secret: [UInt8], of username: [UInt8] = []) {
    let key = username + [0] + secret
    if isKnown(key) { return }
    var forms: [[UInt8]] = []
    if !Self.isPart(secret, of: username) { forms = Self.spellings(of: secret) }
    if !username.isEmpty { forms += Self.inBase64(username + [UInt8(ascii: ":")] + secret) }
    keep(key, forms, isAddress: false)
  }

  /// Adds the path and the query of a feed. Who is asked for them has them already, so that they
  /// may stand in an address to which he redirects.
  package func add(address: [UInt8]) {
    let key = [0] + address
    if !isKnown(key) { keep(key, Self.spellings(of: address), isAddress: true) }
  }

  private func isKnown(_ key: [UInt8]) -> Bool {
    known.withLock { $0.contains { $0.secret == key } }
  }

  private func keep(_ key: [UInt8], _ forms: [[UInt8]], isAddress: Bool) {
    let spelled = Spelled(
      secret: key,
      forms: Set(forms.map(Self.folded)).filter { $0.count >= Self.shortest },
      isAddress: isAddress)
    known.withLock { known in
      known.append(spelled)
      if known.count > Self.most { known.removeFirst() }
    }
  }

  /// Adds the login that a URL has, as that of a proxy, which may come without its scheme.
  package func add(loginOf url: String) {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let authority = url[start...].utf8.prefix { $0 != UInt8(ascii: "/") }
    guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
    let parts = authority[..<end].split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    add(PercentCoding.decoded(Array(parts[1])), of: PercentCoding.decoded(Array(parts[0])))
  }

  /// The text without them.
  ///
  /// - Parameter isCut: more came after it, so that the beginning of a secret at its end is one.
  package func concealed(_ text: String, isCut: Bool = false) -> String {
    let bytes = Array(text.utf8)
    return Self.text(bytes, without: places(in: bytes, isCut: isCut)) ?? text
  }

  /// An address in a message: a server may have made it, as by a redirect. That of a feed stays.
  package func shown(_ address: WebURL) -> String {
    let bytes = Array(address.shown.utf8)
    let hidden = places(in: bytes, isCut: false, besidesAddresses: true)
    return Self.text(bytes, without: hidden) ?? address.shown
  }

  /// Nil where there is nothing to leave out.
  private static func text(_ bytes: [UInt8], without places: [Range<Int>]) -> String? {
    var isHidden = [Bool](repeating: false, count: bytes.count)
    for place in places {
      for index in place { isHidden[index] = true }
    }
    guard isHidden.contains(true) else { return nil }
    var shown: [UInt8] = []
    for index in bytes.indices {
      if !isHidden[index] {
        shown.append(bytes[index])
      } else if index == 0 || !isHidden[index - 1] {
        shown += placeholder
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Whether an address that a server made has one of them in it, but for addresses: anywhere what
  /// is no common word, in the query any.
  package func areCarried(by address: WebURL) -> Bool {
    func places(in text: [UInt8]) -> [Range<Int>] {
      self.places(in: text, isCut: false, besidesAddresses: true)
    }
    return places(in: address.target).contains { $0.count >= Self.unmistakable }
      || !places(in: address.query ?? []).isEmpty
  }

  // MARK: Where they are

  private func places(
    in text: [UInt8], isCut: Bool, besidesAddresses: Bool = false
  ) -> [Range<Int>] {
    let forms = known.withLock { known in
      known.filter { !(besidesAddresses && $0.isAddress) }.flatMap(\.forms)
    }
    var places = Self.hashes(in: Self.folded(text))
    // A page may quote an address, whose escapes are then escaped themselves.
    let escapesWithin = 2
    var view: UnescapedText? = UnescapedText(text)
    for _ in 0...escapesWithin {
      guard let shown = view else { break }
      let bytes = Self.folded(shown.bytes)
      for form in forms {
        if isCut, let cut = Self.beginning(of: form, at: bytes) {
          places.append(shown.source(of: cut).lowerBound..<text.count)
        }
        guard form.count <= bytes.count else { continue }
        for start in 0...(bytes.count - form.count) where bytes[start...].starts(with: form) {
          places.append(shown.source(of: start..<start + form.count))
        }
      }
      view = shown.resolved(isCut: isCut)
    }
    return places
  }

  /// Where the text ends with the beginning of a form.
  private static func beginning(of form: [UInt8], at text: [UInt8]) -> Range<Int>? {
    let longest = min(form.count - 1, text.count)
    guard longest >= shortest else { return nil }
    let length = (shortest...longest).last { text.suffix($0).elementsEqual(form.prefix($0)) }
    return length.map { text.count - $0..<text.count }
  }

  /// The answers to challenges (RFC 7616 §3.4.1): libcurl makes them, and whoever has one can try
  /// passwords until one fits.
  private static func hashes(in text: [UInt8]) -> [Range<Int>] {
    let name = Array("response=".utf8)
    /// Of the least digest by half, and a quote, which may be an entity.
    let (shortestHash, longestQuote) = (16, 6)
    func isDigit(_ byte: UInt8) -> Bool { PercentCoding.digit(byte) != nil }
    return text.indices.filter { text[$0...].starts(with: name) }.compactMap { start in
      let value = text[(start + name.count)...]
      let quote = value.prefix { !isDigit($0) }.count
      let digits = value.dropFirst(quote).prefix(while: isDigit)
      guard quote <= longestQuote, digits.count >= shortestHash else { return nil }
      return digits.startIndex..<digits.endIndex
    }
  }

  // MARK: How they are spelled

  private static func spellings(of secret: [UInt8]) -> [[UInt8]] {
    let shown = ServerWords.bare(secret, limit: max(secret.count, 1)).text
    // A form writes a blank as a plus sign.
    let ofForms = secret.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
    return [secret, Array(shown.utf8), ofForms] + inBase64(secret)
  }

  /// Without the padding, which may be left out and tells nothing.
  private static func inBase64(_ bytes: [UInt8]) -> [[UInt8]] {
    [base64(bytes).filter { $0 != UInt8(ascii: "=") }, base64URL(bytes)]
  }

  private static func isPart(_ secret: [UInt8], of username: [UInt8]) -> Bool {
    let (secret, username) = (folded(secret), folded(username))
    return secret.count <= username.count
      && username.indices.contains { username[$0...].starts(with: secret) }
  }

  private static func folded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
