import WebDAV

extension ModelServer {
  /// RFC 4918 §9.9. Nobody gets a mail because of it.
  func move(_ call: ModelCall, _ state: inout State) -> ModelAnswer {
    if let status = state.switches.moveRefusal { return ModelAnswer(status) }
    if state.switches.refusesWrites { return .refusal(403, .dav("need-privileges")) }
    let (path, name) = call.item
    guard let item = state.world.calendars[path]?.items[name] else { return ModelAnswer(404) }
    guard let address = call.header("Destination"), let target = try? WebURL(absolute: address)
    else { return ModelAnswer(400) }
    // Over a socket it has the name that the client knows it by.
    let host = call.header("Host").map { "http://" + String(decoding: $0, as: UTF8.self) }
    guard target.origin == host ?? call.url.origin else { return ModelAnswer(502) }
    let (other, asked) = ModelCall(request: call.request, url: target, now: call.now).item
    let newName = state.switches.movesToUIDs ? item.uid + Array(".ics".utf8) : asked
    guard let calendar = state.world.calendars[other] else { return ModelAnswer(409) }
    let isTaken = calendar.items[newName] != nil
    if isTaken, call.header("Overwrite")?.elementsEqual("F".utf8) == true {
      return ModelAnswer(412)
    }
    if let kinds = calendar.components, state.switches.enforcesComponents,
      !ModelText.components(item.data).allSatisfy({ kinds.contains($0.uppercased()) })
    {
      return .refusal(403, .caldav("supported-calendar-component"))
    }
    let hasUID = calendar.items.contains { $0.value.uid == item.uid && $0.key != newName }
    if let status = state.switches.uidConflictStatus, other != path, hasUID {
      return .refusal(status, state.switches.uidConflictElement.map(XMLName.caldav))
    }
    let mails = state.world.mails
    state.world.remove(at: path, name, now: call.now)
    state.world.store(item.data, at: other, newName, now: call.now)
    state.world.mails = mails
    return ModelAnswer(isTaken ? 204 : 201)
  }
}
