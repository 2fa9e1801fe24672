import SyncPlanning

extension Story {
  /// The smallest story found that still breaks the same promise.
  public func shrunk(breaking rule: String) -> Story {
    shrunk { Simulation.play($0).violations.first?.rule == rule }
  }

  /// The smallest story found of which something still holds. Tries at most `limit` stories.
  public func shrunk(limit: Int = 3_000, while holds: (Story) -> Bool) -> Story {
    var best = self
    var tries = 0
    var isSmaller = true
    while isSmaller, tries < limit {
      isSmaller = false
      for candidate in best.smaller {
        guard tries < limit else { break }
        tries += 1
        if holds(candidate) {
          best = candidate
          isSmaller = true
          break
        }
      }
    }
    return best
  }

  /// Stories with one thing less: large pieces first.
  private var smaller: [Story] {
    var candidates: [Story] = []
    func consider(_ change: (inout Story) -> Void) {
      var story = self
      change(&story)
      if story != self { candidates.append(story) }
    }
    if let last = steps.indices.last {
      for cut in [steps.count / 2, steps.count / 4] where cut > 1 {
        for start in stride(from: 0, through: last, by: cut) {
          consider { $0.steps.removeSubrange(start..<min(start + cut, steps.count)) }
        }
      }
    }
    for uid in Set(steps.compactMap(\.uid)).sorted() {
      consider { $0.steps.removeAll { $0.uid == uid } }
    }
    for index in steps.indices.reversed() { consider { $0.steps.remove(at: index) } }
    for index in traits.indices { consider { $0.traits.remove(at: index) } }
    for (index, step) in steps.enumerated() {
      guard case .run(let command, let events) = step else { continue }
      for event in events.indices {
        consider { story in
          var fewer = events
          fewer.remove(at: event)
          story.steps[index] = .run(command, fewer)
        }
      }
    }
    consider { $0.policy = .merge }
    consider { $0.direction = .both }
    consider { $0.reply = nil }
    return candidates
  }
}

extension Story.Step {
  fileprivate var uid: String? {
    switch self {
    case .act(let act): act.uid
    case .run(let command, _): command.uid
    case .wait: nil
    }
  }
}
