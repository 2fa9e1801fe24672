/// A mend as all of them stand behind `do:`, whoever wrote it: it begins as within a sentence,
/// and without a full stop at its end.
public func adviceText(_ mend: String) -> String {
  var text = mend
  if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
  guard let word = text.split(separator: " ").first, let first = word.first, first.isUppercase,
    !word.dropFirst().contains(where: \.isUppercase), !serviceNames.contains(String(word))
  else { return text }
  return first.lowercased() + text.dropFirst()
}

/// Those with which a mend begins that is about one of them.
private let serviceNames: Set = [
  "Fastmail", "Google", "Infomaniak", "Mail.ru", "Microsoft", "Yahoo", "Yandex", "Zoho",
]
