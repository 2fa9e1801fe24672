/// Gives the canonical form of a text without the fields that only say that somebody has touched
/// it: SEQUENCE, LAST-MODIFIED, DTSTAMP and CREATED (RFC 5545 §3.8.7). Nil where the text is one
/// that cannot be edited.
public func essence(of tree: SyntaxTree) -> [UInt8]? {
  var tree = tree
  for component in tree.calendars.flatMap(\.components).map(\.id) {
    for name in ["SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "CREATED"] {
      do throws(EditRefusal) {
        try tree.removeProperties(named: name, in: component)
      } catch {
        return nil
      }
    }
  }
  return canonicalForm(of: tree)
}
