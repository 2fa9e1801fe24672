import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

extension Gateway {
  /// Looks what each side changed since the last sync; `offline` looks at the local side alone.
  /// Nothing is written, and no lock is needed.
  public func status(
    _ target: PairTarget, offline: Bool,
    progress: @escaping @Sendable (PairProgress) -> Void = { _ in }
  ) async -> StatusReport {
    let watch = StopWatch(signals: signals, deadline: target.pair.deadline)
    let empty = StatusReport(pair: target.pair.name)
    let result = await watch.watch(surroundings) { () -> StatusReport in
      var report = empty
      do throws(RunFailure) {
        progress(.opening(pair: target.pair.name))
        let store = try opener.openStore(target.pair, .look) { _ in }
        let opened = try await opener.open(
          target, .look, store: store, lock: nil, offline: offline, stop: { watch.reason })
        for collection in opened.collections {
          if let stop = watch.reason {
            throw .stopped(stop, place: "pair \(target.pair.name)")
          }
          await look(at: collection, of: opened, offline: offline, watch, into: &report)
        }
      } catch {
        report.failures.append(error)
      }
      return report
    }
    return result ?? empty
  }

  private func look(
    at collection: MatchedCollection, of opened: OpenedPair, offline: Bool, _ watch: StopWatch,
    into report: inout StatusReport
  ) async {
    let rules = engineOptions(opened.target.pair, RunOptions(), watch)
    let opener = CollectionOpener(pair: opened, surroundings: surroundings, options: rules)
    let place = "pair \(report.pair), collection \(collection.name)"
    switch await opener.open(collection) {
    case .skipped: return
    case .reported(let collection): add(collection, to: &report, watch)
    case .ready(let ready):
      switch await ready.sync.inspect(offline ? [.local] : [.local, .remote]) {
      case .success(let items):
        report.items += items.map {
          PendingEntry(pair: report.pair, collection: collection.name, $0)
        }
      case .failure(let failure):
        var failed = CollectionReport(name: collection.name)
        failed.failure = failure
        let translated = opener.translateVanished(failed)
        if translated.failure == nil {
          add(translated, to: &report, watch)
        } else {
          report.failures.append(RunFailure(failure, place: place, stop: watch.reason))
        }
      }
    }
  }

  private func add(
    _ collection: CollectionReport, to report: inout StatusReport, _ watch: StopWatch
  ) {
    let place = "pair \(report.pair), collection \(collection.name)"
    if let failure = collection.failure {
      report.failures.append(RunFailure(failure, place: place, stop: watch.reason))
    }
    for problem in collection.problems {
      var entry = PendingEntry(
        pair: report.pair, collection: collection.name, item: problem.item)
      entry.problem = problem.problem
      report.items.append(entry)
    }
  }
}
