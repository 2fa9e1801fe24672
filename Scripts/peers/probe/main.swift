// What calgw's calendar code makes of a text, for scripts that compare it with other programs.
//
//   probe expand                  items on stdin, their occurrences on stdout
//   probe speed FILE FROM TO      how long the rules of a file take
//   probe parse FILE [deeply]     how long the parser takes
import Glibc

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "expand": expand()
case "speed" where arguments.count == 4: speed(Array(arguments.dropFirst()))
case "parse" where arguments.count >= 2: parse(Array(arguments.dropFirst()))
default:
  fail("usage: probe expand | speed FILE FROM TO | parse FILE [deeply]")
}

func fail(_ message: String) -> Never {
  print("probe: " + message)
  exit(64)
}

/// A file's bytes; ends the program where it cannot be read.
func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fail("cannot read " + path) }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = fread(buffer.baseAddress, 1, size, file)
  }
}
