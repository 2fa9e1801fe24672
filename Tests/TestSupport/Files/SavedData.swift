public import FoundationEssentials

extension Data {
  /// Writes a file that calgw may read next, as an editor that writes in place.
  ///
  /// Not while a program is being started, which would have it open for writing for a moment, too:
  /// calgw leaves alone what another program is writing (`ChildProcess.whileNoneStarts`).
  public func save(to file: URL) throws {
    try ChildProcess.whileNoneStarts { try write(to: file) }
  }
}
