import CCurl

/// The functions libcurl calls. Each finds its transfer in the context and leaves the rest to it;
/// the transfer outlives the calls because the event loop holds it until they are over.
enum Callbacks {
  static let header: ccurl_transfer_callback = { bytes, size, count, context in
    guard let transfer = transfer(context), let length = product(size, count) else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: length)
    return transfer.receive(headerLine: line) ? length : refusal(of: length)
  }

  static let body: ccurl_transfer_callback = { bytes, size, count, context in
    guard let transfer = transfer(context), let length = product(size, count) else { return 0 }
    if length == 0 { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: length)
    return transfer.receive(body: chunk) ? length : refusal(of: length)
  }

  static let upload: ccurl_transfer_callback = { bytes, size, count, context in
    guard let transfer = transfer(context), let length = product(size, count) else {
      return Int(CURL_READFUNC_ABORT)
    }
    return transfer.upload(into: UnsafeMutableRawBufferPointer(start: bytes, count: length))
  }

  static let rewind: ccurl_seek_callback = { context, offset, origin in
    guard let transfer = transfer(context), origin == 0 else { return CURL_SEEKFUNC_FAIL }
    return transfer.rewind(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
  }

  static let prerequest: ccurl_prerequest_callback = { context, _, _, remote, local in
    guard let transfer = transfer(context), let handle = transfer.handle else {
      return CURL_PREREQFUNC_ABORT
    }
    let ends = Connections.Ends(
      local: UInt16(truncatingIfNeeded: local), remote: UInt16(truncatingIfNeeded: remote))
    let goes = transfer.mayGoOut(
      sentSoFar: handle.requestBytes, moved: handle.movedBytes, isStale: handle.isStale(ends))
    return goes ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  /// Called in transfers alone that watch the handshake or may go over HTTP/2.
  static let trace: curl_debug_callback = { _, kind, text, length, context in
    if kind == CURLINFO_TEXT, let transfer = transfer(context) {
      transfer.receive(trace: UnsafeRawBufferPointer(start: text, count: length))
    }
    return 0
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func product(_ size: Int, _ count: Int) -> Int? {
    let (length, overflow) = size.multipliedReportingOverflow(by: count)
    return overflow ? nil : length
  }

  /// Any other number than the length ends the transfer; it must not be a magic one.
  private static func refusal(of length: Int) -> Int { length == 0 ? 1 : 0 }
}
