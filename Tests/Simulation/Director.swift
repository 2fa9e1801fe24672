import TestSupport

/// Counts the calls of a run, and at the moments that the story names lets happen what it says.
///
/// All ports of a world ask it, so that the number of a call is unique in a run. From a kill on,
/// every port throws and changes nothing.
package final class Director: @unchecked Sendable {
  // Touched by the thread of the world's executor alone.
  package enum Verdict {
    case carryOut
    case strike(Fault)
    case stop
    case carryOutAndStop
  }

  private var events: [Story.Event] = []
  /// How many calls of the kind that each event names there were.
  private var counts: [Int] = []
  /// What struck and goes on to the end of the run, with the calls that it strikes.
  private var lasting: [(calls: [String], fault: Fault)] = []
  private(set) var isStopped = false
  /// How much a power cut leaves; nil where there was none.
  private(set) var powerCut: UInt64?
  /// Events that happened in this run.
  private(set) var struck = 0
  private(set) var calls = 0
  private(set) var effects = 0
  /// The last call whose effect went through, to name the point of a kill.
  private var lastEffect = ""
  var isInterrupted = false
  /// Called with each event that happens, before it takes effect.
  var perform: (Act, _ call: String) -> Void = { _, _ in }
  var note: (_ name: String) -> Void = { _ in }
  var trace = Trace(keepsLines: false)

  package init() {}

  package func begin(_ events: [Story.Event]) {
    self.events = events
    counts = events.map { _ in 0 }
    lasting = []
    isStopped = false
    powerCut = nil
    struck = 0
    calls = 0
    effects = 0
    lastEffect = ""
    isInterrupted = false
  }

  /// Ends all faults and events of the run.
  package func end() { begin([]) }

  /// Tells of a call and asks what is to become of it.
  package func reach(_ port: String, _ name: String, isEffect: Bool) -> Verdict {
    if isStopped { return .stop }
    calls += 1
    if isEffect { effects += 1 }
    trace.add(name)
    let verdict = events.isEmpty ? .carryOut : decide(port, name, isEffect)
    if isEffect { lastEffect = name }
    return verdict
  }

  private func decide(_ port: String, _ name: String, _ isEffect: Bool) -> Verdict {
    for index in events.indices where Self.isNamed(events[index].moment, port, name, isEffect) {
      counts[index] += 1
    }
    let state = lasting.first { $0.fault.extent != .oneCall && $0.calls.contains(name) }
    var verdict = Verdict.carryOut
    for (event, count) in zip(events, counts) where count == event.moment.number {
      guard Self.isNamed(event.moment, port, name, isEffect) else { continue }
      switch event.happening {
      case .act(let act):
        struck += 1
        trace.add("  \(act)")
        perform(act, name)
      case .fault(let faultName, let isSticky):
        // Where nothing gets through, nothing else goes wrong.
        guard let fault = Catalogue.fault(faultName), fault.calls.contains(name), state == nil
        else { continue }
        struck += 1
        if isSticky || fault.extent == .always { begin(lasting: fault, at: name) }
        verdict = .strike(fault)
      case .kill(let isAfter, let power):
        struck += 1
        isStopped = true
        powerCut = power
        noteKill(name, isAfter: isAfter, isEffect: isEffect)
        return isAfter ? .carryOutAndStop : .stop
      }
    }
    if case .carryOut = verdict,
      let fault = state?.fault ?? lasting.first(where: { $0.calls.contains(name) })?.fault
    {
      verdict = .strike(fault)
    }
    if case .strike(let fault) = verdict {
      trace.add("  \(fault.name)")
      if !fault.isNotedWhenItActs { note(fault.name) }
    }
    return verdict
  }

  private func begin(lasting fault: Fault, at name: String) {
    lasting.append((fault.extent == .oneCall ? [name] : fault.calls, fault))
    // From there on.
    if fault.name == "C3.1" { note("C3.2") }
  }

  private static func isNamed(
    _ moment: Story.Moment, _ port: String, _ name: String, _ isEffect: Bool
  ) -> Bool {
    switch moment.call {
    case "any", port, name: true
    case "effect": isEffect
    default:
      isEffect && moment.call.hasSuffix(".effect")
        && moment.call.dropLast(".effect".count) == port
    }
  }

  /// What kind of crash point this is (C1). At a call that changes nothing it is one before an
  /// effect.
  private func noteKill(_ name: String, isAfter: Bool, isEffect: Bool) {
    trace.add("  killed \(isAfter ? "after" : "before") \(name)")
    note("C9.3")
    let isSent = ["http.PUT", "http.DELETE"].contains(lastEffect)
    switch (name, isAfter) {
    case ("http.PUT", true), ("http.DELETE", true): note("C1.9")
    case ("http.answer", _) where isSent: note("C1.9")
    case ("files.write", true): note("C1.4")
    case ("files.syncData", false): note("C1.5")
    case ("files.syncData", true): note("C1.6")
    case ("files.syncDirectory", false): note("C1.7")
    case ("journal.close", false): note(isSent ? "C1.10" : "C1.2")
    case ("journal.close", true), ("journal.agree", true): note("C1.3")
    case ("journal.openIntents", _): note("C1.11")
    case ("question", _): note("C1.12")
    case (_, _) where !isEffect: note("C1.1")
    default: note(name.hasPrefix("journal.") ? "C1.8" : isAfter ? "C1.2" : "C1.1")
    }
  }
}
