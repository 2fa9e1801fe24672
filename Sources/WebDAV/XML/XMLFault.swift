/// Why an XML document is not used.
package struct XMLFault: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A DOCTYPE: nothing in WebDAV needs one, and entities come with it.
    case doctype
    /// Anything but UTF-8.
    case encoding
    /// A limit of `XMLLimits` was passed.
    case limit
    /// Not well-formed, also as to namespaces.
    case illFormed
    /// The document ended before its root element did.
    case incomplete
    /// Well-formed, and not what was asked for.
    case unexpected
  }

  package var kind: Kind
  /// In words, without a full stop.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// How much of a server's XML is taken in.
package struct XMLLimits: Sendable {
  /// Bytes of a whole document.
  package var document = 64 << 20
  /// Elements within elements: WebDAV's answers need 8, and stacks are finite.
  package var depth = 64
  /// Attributes of one element, namespace declarations counted: WebDAV's have two at most.
  package var attributes = 64
  /// Bytes without any event, that is within one tag or comment: more is an attack on the
  /// parser's look-ahead.
  package var silence = 64 << 10
  /// Bytes of a text that is no calendar data. One that the answer can do without is dropped.
  package var text = 64 << 10
  /// Bytes of one item's calendar data.
  package var item = 16 << 20
  /// Responses of one multistatus: more than a run takes items of a calendar, which are 100,000.
  package var responses = 110_000
  /// Bytes of one address in a multistatus. One that is longer counts as naming nothing: many
  /// servers take no request line of more than 8,000 bytes.
  package var address = 4 << 10
  /// Bytes of all addresses in a multistatus: each is kept several times over while a run has it.
  /// For each of 100,000 items that leaves 167.
  package var addresses = 16 << 20

  package init() {}
}
