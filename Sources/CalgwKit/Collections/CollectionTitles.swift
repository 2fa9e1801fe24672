import SyncModel

/// What people call the collections that reports name by their ids, by those: between two servers
/// no folder has a name for people, and a UUID tells nobody which calendar it is.
package func collectionTitles(_ collections: [MatchedCollection]) -> [String: String] {
  var titles: [String: String] = [:]
  for collection in collections where isUUID(collection.name) {
    let names = [collection.local, collection.remote].map { side -> String? in
      if case .present(let own) = side { own.displayName } else { nil }
    }
    titles[collection.name] = names.compactMap(\.self).first { !$0.isEmpty }
  }
  return titles
}

/// A collection in a message: its title stands behind the name by which it is given to commands.
func titled(_ name: String, _ titles: [String: String]) -> String {
  titles[name].map { "\(name) (\"\(visibleText($0, limit: 60))\")" } ?? name
}

extension CollectionProposal {
  /// What a server said of making it, with its title before its id.
  func titling(_ error: StorageError) -> StorageError {
    guard let displayName, !displayName.isEmpty, displayName != name else { return error }
    var error = error
    error.message = error.message.replacing(
      "“\(name)”", with: "“\(visibleText(displayName, limit: 60))” (\(name))")
    return error
  }
}
