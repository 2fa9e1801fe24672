import Glibc
public import SyncModel
import Synchronization
public import VdirStorage

/// A file system in memory with a cache that a power cut loses, virtual time, faults on demand, and
/// a fuse that stops everything at a chosen effect.
///
/// Two doors lead in: the `FileSystem` port, which calgw uses, with faults, fuse and hook; and the
/// verbs of another program (`ModelFileSystem+OtherProgram.swift`), which nothing disturbs.
public final class ModelFileSystem: Sendable {
  /// Stops calgw at an effect; from there on every call throws and changes nothing.
  public struct Fuse: Sendable, Hashable {
    public enum Moment: Sendable, Hashable, CaseIterable {
      case before
      case after
    }

    /// Counted from 1.
    public var effect: Int
    public var moment: Moment

    public init(effect: Int, moment: Moment) {
      self.effect = effect
      self.moment = moment
    }
  }

  /// Makes calls fail.
  public struct Fault: Sendable {
    public var operation: FileOperation
    /// An `errno`.
    public var code: Int32
    /// Only for this name; nil: for any.
    public var name: FileName?
    /// So many calls succeed first.
    public var skip: Int
    /// So many calls fail; nil: all.
    public var times: Int?
    /// Of a write: so many bytes are written before it fails.
    public var partial: Int?
    /// It is done although it fails, as over a network that loses the answer.
    public var isDone: Bool

    public init(
      _ operation: FileOperation, _ code: Int32, name: FileName? = nil, skip: Int = 0,
      times: Int? = nil, partial: Int? = nil, isDone: Bool = false
    ) {
      self.isDone = isDone
      self.operation = operation
      self.code = code
      self.name = name
      self.skip = skip
      self.times = times
      self.partial = partial
    }
  }

  /// Called before each call of the port, with the name that it concerns; may use the verbs of
  /// another program.
  public typealias Hook = @Sendable (FileOperation, FileName?) -> Void

  /// What is to become of a call.
  public enum Verdict: Sendable, Hashable {
    case carryOut
    /// It throws this `errno`; `partial` bytes of a write are written, and with `isDone` all of it
    /// is done.
    case fail(Int32, partial: Int?, isDone: Bool)
    /// The program is killed before the call, or right after it.
    case stop
    case carryOutAndStop
  }

  /// Decides about each call of the port, with the name that it concerns, and whether it would
  /// change anything; may use the verbs of another program.
  public typealias Director = @Sendable (FileOperation, FileName?, _ isEffect: Bool) -> Verdict

  struct State {
    var director: Director?
    var watcher: (@Sendable (FileOperation) -> Void)?
    /// Where the disk's clock comes from, in milliseconds; nil: it runs by itself.
    var clock: (@Sendable () -> Int64)?
    var lastTime: Int64 = 0
    var disk = ModelDisk()
    var open: [Int32: UInt64] = [:]
    var nextDescriptor: Int32 = 3
    var locks: [UInt64: Int32] = [:]
    var faults: [Fault] = []
    var effects = 0
    var fuse: Fuse?
    var isStopped = false
    var hook: Hook?
    var hidden: Set<FileName> = []
    var doubled: Set<FileName> = []
    var identifiers = 0
    var reads: [FileName] = []
    var mostOpen = 0
    var oddities: Set<Oddity> = []
  }

  /// Something odd that it really did.
  public enum Oddity: Sendable, Hashable {
    /// It took one spelling of a name for another one.
    case foldedName
    /// A time was cut to what the disk can count.
    case cutTime
    /// A listing left out a file that is there, or named one twice.
    case leftOut, namedTwice
  }

  let state = Mutex(State())

  public init() {}

  /// Changes that calgw made so far.
  public var effects: Int { state.withLock { $0.effects } }
  /// The names of the files that calgw read so far, in order.
  public var reads: [FileName] { state.withLock { $0.reads } }
  /// Descriptors that are open now, and the most there were at a time.
  public var openDescriptors: Int { state.withLock { $0.open.count } }
  public var mostDescriptors: Int { state.withLock { $0.mostOpen } }
  public var isStopped: Bool { state.withLock { $0.isStopped } }
  /// What it did so far that plain file systems do not.
  public var oddities: Set<Oddity> {
    state.withLock { $0.disk.hasCutTime ? $0.oddities.union([.cutTime]) : $0.oddities }
  }

  public func stop(at fuse: Fuse?) { state.withLock { $0.fuse = fuse } }
  public func fail(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }
  public func healFaults() { state.withLock { $0.faults = [] } }
  public func onCall(_ hook: Hook?) { state.withLock { $0.hook = hook } }
  /// Hands the decision about every call to somebody; nil takes it back.
  public func direct(_ director: Director?) { state.withLock { $0.director = director } }
  /// Tells somebody of every effect once it happened.
  public func watch(_ watcher: (@Sendable (FileOperation) -> Void)?) {
    state.withLock { $0.watcher = watcher }
  }
  /// Takes the time from a clock that counts milliseconds since 1970, and may step back.
  public func follow(_ clock: (@Sendable () -> Int64)?) { state.withLock { $0.clock = clock } }
  /// Leaves names out of the next listing, as a directory that changes while it is read may.
  public func hideFromNextListing(_ names: Set<FileName>) {
    state.withLock { $0.hidden = names }
  }
  /// Puts names into the next listing twice, as a directory that changes while it is read may.
  public func doubleInNextListing(_ names: Set<FileName>) {
    state.withLock { $0.doubled = names }
  }

  public func setNameFolding(_ folding: NameFolding) {
    state.withLock { $0.disk.folding = folding }
  }
  /// The disk takes one for the other.
  public func areOne(_ name: FileName, _ other: FileName) -> Bool {
    state.withLock { $0.disk.key(name) == $0.disk.key(other) }
  }
  public func setUmask(_ umask: UInt32) { state.withLock { $0.disk.umask = umask } }
  /// In nanoseconds.
  public func setGranularity(_ granularity: Int64) {
    state.withLock { $0.disk.granularity = max(granularity, 1) }
  }
  /// Virtual time that a change takes, in nanoseconds.
  public func setTick(_ tick: Int64) { state.withLock { $0.disk.tick = tick } }
  public func advance(milliseconds: Int64) {
    state.withLock { $0.disk.now += milliseconds * 1_000_000 }
  }

  /// Kills the process: what is open is closed, locks are freed, and the fuse is replaced by none.
  /// What was written stays.
  public func kill() {
    state.withLock { state in
      state.open = [:]
      state.locks = [:]
      state.isStopped = false
      state.fuse = nil
      state.effects = 0
    }
  }

  /// Cuts the power, which also kills the process. Of what was not synced nothing is left, or, with
  /// a seed, some part that a real file system may leave.
  public func crash(seed: UInt64? = nil) {
    kill()
    state.withLock { state in
      var chance = seed.map { $0 &* 0x9E37_79B9_7F4A_7C15 | 1 }
      state.disk.crash { limit in
        guard var value = chance else { return 0 }
        value ^= value << 13
        value ^= value >> 7
        value ^= value << 17
        chance = value
        return Int((value >> 11) % UInt64(limit))
      }
    }
  }

  /// The model's clock, counted identifiers, and pauses that pass at once.
  public var surroundings: Surroundings {
    Surroundings(
      now: { Instant(milliseconds: self.state.withLock { $0.disk.now / 1_000_000 }) },
      newUUID: {
        let number = self.state.withLock { state in
          state.identifiers += 1
          return state.identifiers
        }
        let digits = String(number, radix: 16)
        let head = String(repeating: "0", count: max(8 - digits.count, 0)) + digits
        return "\(head)-0000-4000-8000-000000000000"
      },
      pause: { milliseconds in self.advance(milliseconds: milliseconds) })
  }
}
