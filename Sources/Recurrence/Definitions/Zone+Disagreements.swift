extension Zone {
  /// The stretches of instants in which this zone and another have different offsets: ascending,
  /// none next to another, up to the end of the range that is looked at.
  func disagreements(with other: Zone, in looked: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var time = looked.lowerBound
    while time < looked.upperBound {
      let (mine, others) = (segment(at: time), other.segment(at: time))
      let next = min(max(min(mine.upper, others.upper), time + 1), looked.upperBound)
      if mine.offset != others.offset {
        if let last = found.last, last.upperBound == time {
          found[found.count - 1] = last.lowerBound..<next
        } else {
          found.append(time..<next)
        }
      }
      time = next
    }
    return found
  }
}
