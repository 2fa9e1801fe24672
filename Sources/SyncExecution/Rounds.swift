/// How the rounds of a run go: it looks, decides and acts until nothing is left to do.
struct Rounds {
  /// Somebody who edits an item each time calgw is about to write it is left alone after this many;
  /// the next run goes on.
  static let limit = 5

  private var count = 0
  private(set) var isFirst = true
  /// This one has written something new.
  private var getsOn = true
  /// The one before did, so that what is to be merged may go in parts: where nothing new goes, all
  /// of it is looked at and named.
  private(set) var mayPostpone = true
  /// Not all that is to be merged is in this one's plan.
  private(set) var isPart = false

  var isOver: Bool { count >= Self.limit }

  mutating func begin() {
    mayPostpone = getsOn
    (getsOn, isPart) = (false, false)
  }

  mutating func plan(isPart: Bool) { self.isPart = isPart }

  mutating func act(getsOn: Bool) { self.getsOn = getsOn }

  mutating func end() {
    isFirst = false
    // A part, as long as it gets on, is no round of its own.
    if !isPart || !getsOn { count += 1 }
  }
}
