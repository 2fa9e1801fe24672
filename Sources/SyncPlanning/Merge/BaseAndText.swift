/// What one side had when both agreed, and what it has: two texts, or what stands in them.
struct BaseAndText<Value> {
  var base: Value
  var text: Value
}
