import SyncModel

/// What the journal knows of a collection of a pair from earlier runs.
package struct KnownCollection: Sendable, Hashable {
  /// The name in reports; the folder's, and never changed afterwards.
  package var name: String
  /// How the local collection was addressed.
  var local: Href
  /// What made the remote collection the one it was.
  var remoteIdentity: String
  /// How the remote collection was addressed.
  var remote: Href
  /// The mapping that joined them; nil where none did.
  var mapping: CollectionMapping?
  /// What the remote collection was called by people.
  var remoteName = ""
  /// The sides that are another place by now than the one where it was.
  var elsewhere: Set<Side> = []

  package init(
    name: String, local: Href, remoteIdentity: String, remote: Href,
    mapping: CollectionMapping? = nil, remoteName: String = ""
  ) {
    self.name = name
    self.local = local
    self.remoteIdentity = remoteIdentity
    self.remote = remote
    self.mapping = mapping
    self.remoteName = remoteName
  }

  /// What a configuration may call it by, whether or not it is there.
  var names: [String] {
    remoteName.isEmpty ? [name] : [name, remoteName, nameAsTyped(remoteName)]
  }
}

/// A collection of a pair with what is there on each side.
package struct MatchedCollection: Sendable, Hashable {
  package enum Counterpart: Sendable, Hashable {
    case present(CollectionDescription)
    /// Never met before on this side: to be made, if the rules for it allow.
    case missing(CollectionProposal)
    /// It was there in an earlier run and is not any more.
    case gone(Href)
    /// A mapping calls it so, where earlier runs had another one, and nothing is called so, or
    /// several are.
    case unknown(String)
    /// Earlier runs had it, and a mapping has given it to another folder since.
    case given(Href, to: String)
    /// The configuration calls one so, and neither side has it.
    case nobody(String)
  }

  package var name: String
  package var local: Counterpart
  package var remote: Counterpart
  /// The mapping that joins them; nil where none does.
  package var mapping: CollectionMapping?
  /// What the mapping may mean, where nothing says which of them: nothing is done before a person
  /// has. Empty where that is clear.
  package var candidates: [CollectionDescription] = []
  /// Set where another mapping means the same, and nothing says whose it is, or the other one has
  /// it: nothing is done before a person has said.
  var contest: Contest?

  /// Those of the other side that may be its counterpart by their names, where nothing says which
  /// of several is, or whose of several the one is: one that is made beside them on a server has
  /// everything twice.
  package var rivals: [CollectionDescription] = []
  /// Nothing but what they hold joins the two.
  package var isJoinedByItems = false
  /// Why nothing is made for the folder, whose items calendars may hold that nothing joins it with.
  var doubt: ItemDoubt?

  /// Its mapping has to be mended first.
  package var isUndecided: Bool { contest != nil || !candidates.isEmpty }
}
