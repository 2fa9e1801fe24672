/// One text that holds a whole calendar: a file, or what a URL gives.
///
/// It is the port beneath a side whose items are no resources of their own.
public protocol StreamSource: Sendable {
  /// The path or URL, for people.
  var name: String { get }
  /// Nothing is ever written to it.
  var isReadOnly: Bool { get }
  /// In bytes, of the longest text that it takes; nil: no known limit.
  var maxSize: Int? { get }

  /// Gives the text that is there now.
  ///
  /// - Parameter known: the state that an earlier call gave: if the text is still that one, the
  ///   answer is `unchanged`, where finding that out costs less than the text.
  func fetch(unless known: StreamState?) async throws(StorageError) -> FetchedStream

  /// The same, of a text that nobody has changed for a while, where the source can tell: one that
  /// is just being written may lack its last items. Nil where somebody goes on changing it.
  func fetchAtRest(unless known: StreamState?) async throws(StorageError) -> FetchedStream?

  /// Puts a text in the place of a version that was fetched; nil: where none is. The outcome is
  /// that of a `GuardedWrite`.
  func replace(_ expected: Version?, with text: ItemData) async -> WriteOutcome

  /// As `Storage.displaced`: texts that were replaced, whole.
  func displaced() async throws(StorageError) -> [DisplacedFile]

  /// As `Storage.discard`.
  func discard(_ files: [DisplacedFile]) async throws(StorageError)

  /// As `Storage.makeDurable`.
  func makeDurable() async throws(StorageError)
}

extension StreamSource {
  /// None is known: what a URL gives is never written.
  public var maxSize: Int? { nil }

  /// Fetches: what a URL gives is its server's to finish first.
  public func fetchAtRest(
    unless known: StreamState?
  ) async throws(StorageError) -> FetchedStream? {
    try await fetch(unless: known)
  }

  /// Does nothing: what a URL gives is its server's to keep.
  public func makeDurable() async throws(StorageError) {}
}

/// What lets a source tell whether its text is still the one that was fetched; only the source
/// that made it can read it.
public struct StreamState: Sendable, Hashable {
  public let bytes: [UInt8]
  public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// What a source holds.
public enum FetchedStream: Sendable, Hashable {
  case text(ItemData, Version, StreamState)
  /// It is the one that the caller knows, and this is what to ask with from now on.
  case unchanged(StreamState)
  case absent
}
