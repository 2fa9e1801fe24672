/// The parameters of a line by their names. Names are in upper case here; of several parameters of
/// one name, which RFC 5545 does not know, the first counts.
extension Property {
  /// The names of its parameters, in their order.
  package var parameterNames: [[UInt8]] { parameters.map { $0.name.map(\.uppercased) } }

  /// The values of a parameter; nil where it is not there.
  package func values(of name: [UInt8]) -> [[UInt8]]? {
    parameters.first { $0.name.map(\.uppercased) == name }?.values
  }

  /// Gives a parameter these values, in its place or at the end; nil: it goes.
  package mutating func set(_ name: [UInt8], to values: [[UInt8]]?) {
    let place = parameters.firstIndex { $0.name.map(\.uppercased) == name }
    switch (place, values) {
    case (let place?, let values?): parameters[place].values = values
    case (let place?, nil): parameters.remove(at: place)
    case (nil, let values?): parameters.append(Parameter(name: name, values: values))
    case (nil, nil): return
    }
  }
}
