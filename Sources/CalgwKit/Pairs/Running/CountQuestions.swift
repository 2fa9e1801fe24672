import Synchronization

/// About how many items of a collection a run would ask a person.
public struct AwaitedAnswers: Sendable, Hashable {
  /// Before they are deleted.
  public var deletions = 0
  /// Before they are sent to a server that may invite people to them.
  public var invitations = 0

  public init() {}

  mutating func add(_ other: AwaitedAnswers) {
    deletions += other.deletions
    invitations += other.invitations
  }
}

/// A dry run asks nobody: it takes a yes for the answer, and counts what somebody would be asked
/// about.
final class CountedQuestions: Sendable {
  private let answers = Mutex(AwaitedAnswers())

  /// Nil where nothing would be asked.
  var counted: AwaitedAnswers? {
    let counted = answers.withLock { $0 }
    return counted == AwaitedAnswers() ? nil : counted
  }

  /// The same options without the person; where there was none, there is none.
  func answered(_ options: RunOptions) -> RunOptions {
    var answered = options
    if options.confirmDeletion != nil {
      answered.confirmDeletion = { _, _, _ in
        self.answers.withLock { $0.deletions += 1 }
        return true
      }
    }
    if options.confirmInvitations != nil {
      answered.confirmInvitations = { _, count in
        self.answers.withLock { $0.invitations += count }
        return true
      }
    }
    return answered
  }
}
