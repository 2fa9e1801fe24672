import CalgwKit

/// A message or a cause as it may be shown on a terminal. Longer than a name: the words of a server
/// may have 500 characters, with ours before and after them, and an address in them that enables
/// something is of no use cut off.
func explanation(_ text: String) -> String { visibleText(text, limit: longestExplanation) }

/// In characters.
private let longestExplanation = 1000
