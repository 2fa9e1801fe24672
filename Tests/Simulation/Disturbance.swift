import TestSupport

/// What happened in a run besides the run itself, by what of its account it spoils. In an empty one
/// nothing did, whatever the story had planned.
public struct Disturbance: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The folder or the journal failed. What became of requests is known.
  public static let disk = Disturbance(rawValue: 1)
  /// Answers took their time, or a request that changes nothing was refused, or its answer lost. No
  /// answer was untrue, and those to writes came.
  public static let looks = Disturbance(rawValue: 2)
  /// A write went wrong, an answer was untrue, the program was killed or told to stop, or a clock
  /// was set: what the run had done by then is done, and nobody else did anything.
  public static let machine = Disturbance(rawValue: 4)
  /// Others edited, so that what is new on both sides is theirs as well.
  public static let people = Disturbance(rawValue: 8)
}

extension Story.Event {
  /// - Parameter isLate: on a server that hides what changed for some time, which may pass
  ///   meanwhile.
  public func disturbance(whereServerIsLate isLate: Bool) -> Disturbance {
    switch happening {
    case .kill: return .machine
    case .act(let act):
      let ofClocks: [Act.Kind] = [.clockStep, .serverClockStep]
      return act.kind == .interrupt || ofClocks.contains(act.kind) ? .machine : .people
    case .fault(let name, _):
      guard let fault = Catalogue.fault(name) else { return [] }
      return disturbance(by: fault, whereServerIsLate: isLate)
    }
  }

  private func disturbance(by fault: Fault, whereServerIsLate isLate: Bool) -> Disturbance {
    switch fault.effect {
    case .slow, .stalled: return isLate ? .machine : .looks
    case .file, .journal: return .disk
    case .lost, .server(.truncated): return isOfLook(fault) ? .looks : .machine
    // That an item is gone is no refusal, and not true.
    case .server(.answer(let status, _, _)) where status >= 400 && ![404, 410].contains(status):
      return isOfLook(fault) ? .looks : .machine
    default: return .machine
    }
  }

  /// It strikes no write, whatever the run does.
  private func isOfLook(_ fault: Fault) -> Bool {
    fault.extent == .oneCall && ["http.PROPFIND", "http.REPORT", "http.GET"].contains(moment.call)
  }
}

extension World {
  /// Of the run that was the last one.
  func disturbance(by events: [Story.Event]) -> Disturbance {
    if struckInLastRun == 0 { return [] }
    let isLate = server.switches.isLate || server.switches.hidesChanges
    return events.reduce(into: Disturbance()) { all, event in
      all.formUnion(event.disturbance(whereServerIsLate: isLate))
    }
  }
}
