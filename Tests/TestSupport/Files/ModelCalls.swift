import Glibc
import Synchronization
import VdirStorage

extension ModelFileSystem {
  /// A call that changes nothing on disk.
  func call<Result: Sendable>(
    _ operation: FileOperation, _ name: FileName? = nil,
    _ body: (inout State) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    runHook(operation, name)
    switch decide(operation, name, isEffect: false) {
    case .carryOut, .carryOutAndStop: break
    case .fail(let code, _, _): throw FileError(operation, code)
    case .stop: throw FileError.stopped(operation)
    }
    return try locked { state throws(FileError) in
      if state.isStopped { throw FileError.stopped(operation) }
      if let fault = state.nextFault(operation, name) { throw FileError(operation, fault.code) }
      return try body(&state)
    }
  }

  /// A call that changes something: it counts, and the fuse may blow before or after it.
  func effect<Result: Sendable>(
    _ operation: FileOperation, _ name: FileName? = nil, bytes: Int = 0,
    _ body: (inout State, _ partial: Int?) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    runHook(operation, name)
    let verdict = decide(operation, name, isEffect: true)
    if verdict == .stop { throw FileError.stopped(operation) }
    let result = try locked { state throws(FileError) in
      if state.isStopped { throw FileError.stopped(operation) }
      state.effects += 1
      let isFuse = state.fuse?.effect == state.effects
      if isFuse, state.fuse?.moment == .before {
        state.isStopped = true
        throw FileError.stopped(operation)
      }
      if let fault = state.nextFault(operation, name) {
        if fault.isDone { _ = try body(&state, nil) }
        if let partial = fault.partial { _ = try body(&state, min(partial, bytes)) }
        throw FileError(operation, fault.code)
      }
      if case .fail(let code, let partial, let isDone) = verdict {
        if isDone { _ = try body(&state, nil) }
        if let partial { _ = try body(&state, min(partial, bytes)) }
        throw FileError(operation, code)
      }
      // Who is killed at a write is killed within it.
      let result = try body(&state, verdict == .carryOutAndStop && bytes > 0 ? bytes / 2 : nil)
      if isFuse {
        state.isStopped = true
        throw FileError.stopped(operation)
      }
      return result
    }
    state.withLock { $0.watcher }?(operation)
    if verdict == .carryOutAndStop { throw FileError.stopped(operation) }
    return result
  }

  private func decide(_ operation: FileOperation, _ name: FileName?, isEffect: Bool) -> Verdict {
    tellTime()
    guard let director = state.withLock({ $0.director }) else { return .carryOut }
    return director(operation, name, isEffect)
  }

  /// Sets the disk's clock by the one that it follows.
  func tellTime() {
    guard let clock = state.withLock({ $0.clock }) else { return }
    let now = clock()
    state.withLock { state in
      guard now != state.lastTime else { return }
      state.lastTime = now
      state.disk.now = now.multipliedReportingOverflow(by: 1_000_000).partialValue
    }
  }

  func effect<Result: Sendable>(
    _ operation: FileOperation, _ name: FileName? = nil,
    _ body: (inout State) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try effect(operation, name) { state, _ throws(FileError) in try body(&state) }
  }

  private func runHook(_ operation: FileOperation, _ name: FileName?) {
    let hook = state.withLock { $0.isStopped ? nil : $0.hook }
    hook?(operation, name)
  }

  func locked<Result: Sendable>(
    _ body: (inout State) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let result = state.withLock { state -> Swift.Result<Result, FileError> in
      do throws(FileError) {
        return .success(try body(&state))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension ModelFileSystem.State {
  mutating func opened(_ number: UInt64) -> Descriptor {
    defer {
      nextDescriptor += 1
      mostOpen = max(mostOpen, open.count)
    }
    open[nextDescriptor] = number
    return Descriptor(number: nextDescriptor)
  }

  func number(_ open: Descriptor, _ operation: FileOperation) throws(FileError) -> UInt64 {
    guard let number = self.open[open.number] else { throw FileError(operation, EBADF) }
    return number
  }

  func directory(_ open: Descriptor, _ operation: FileOperation) throws(FileError)
    -> ModelDisk.Inode
  {
    guard let inode = disk.inodes[try number(open, operation)], inode.kind == .directory else {
      throw FileError(operation, ENOTDIR)
    }
    return inode
  }

  mutating func inode(_ name: FileName, in directory: Descriptor, _ operation: FileOperation)
    throws(FileError) -> UInt64
  {
    guard name.bytes.count <= ModelDisk.longestName else {
      throw FileError(operation, ENAMETOOLONG)
    }
    guard let entry = disk.entry(name, in: try number(directory, operation)) else {
      throw FileError(operation, ENOENT)
    }
    note(entry, under: name)
    return entry.inode
  }

  private mutating func note(_ entry: ModelDisk.Entry, under name: FileName) {
    if entry.name != name { oddities.insert(.foldedName) }
  }

  mutating func requireFree(_ name: FileName, in directory: UInt64, _ operation: FileOperation)
    throws(FileError)
  {
    guard name.bytes.count <= ModelDisk.longestName else {
      throw FileError(operation, ENAMETOOLONG)
    }
    guard let taken = disk.entry(name, in: directory) else { return }
    note(taken, under: name)
    throw FileError(operation, EEXIST)
  }

  /// The fault that strikes this call, its count taken down.
  mutating func nextFault(_ operation: FileOperation, _ name: FileName?)
    -> ModelFileSystem.Fault?
  {
    for index in faults.indices where faults[index].operation == operation {
      if let only = faults[index].name, only != name { continue }
      if faults[index].skip > 0 {
        faults[index].skip -= 1
        continue
      }
      guard let times = faults[index].times else { return faults[index] }
      guard times > 0 else { continue }
      faults[index].times = times - 1
      return faults[index]
    }
    return nil
  }
}
