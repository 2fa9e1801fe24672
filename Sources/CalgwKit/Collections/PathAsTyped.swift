import SyncModel
import WebDAV

/// True if a text of a configuration is a path or a URL. Nothing that is made is named after one.
func isAddress(_ text: String) -> Bool { text.contains("/") }

extension CollectionDescription {
  /// True if `text` is its path, or a URL with its path, in any spelling: with or without slashes
  /// at the ends, and with or without percent-encoding.
  func namesPath(_ text: String) -> Bool {
    let own = [href.text, String(decoding: href.key, as: UTF8.self)].map(trimSlashes)
    return [text, urlPath(text), decodedPath(text)].map(trimSlashes).contains { own.contains($0) }
  }
}

/// The path of a URL; the text itself where it is none.
private func urlPath(_ text: String) -> String {
  guard let scheme = text.firstRange(of: "://") else { return text }
  let rest = text[scheme.upperBound...]
  return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? ""
}

/// The same without percent-encoding, as the key of an href has it.
private func decodedPath(_ text: String) -> String {
  let path = trimSlashes(urlPath(text))
  guard let address = try? WebURL(absolute: "http://localhost/\(path)") else { return path }
  return String(decoding: address.pathKey, as: UTF8.self)
}

private func trimSlashes(_ text: String) -> String {
  text.split(separator: "/").joined(separator: "/")
}
