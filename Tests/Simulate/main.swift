import Glibc
import Simulation
import Synchronization

/// Plays stories by seed and tells which of them broke a promise. Called by `Scripts/simulate`.
///
///     simulate seeds FROM TO [--minutes M] [--threads N] [--first]
///     simulate hash FROM TO
///     simulate show SEED
///     simulate play FILE
///     simulate rehearse FILE…

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "seeds": exit(playSeeds(arguments.dropFirst()))
case "hash": exit(printHashes(arguments.dropFirst()))
case "show": exit(show(arguments.dropFirst()))
case "rehearse": exit(rehearse(arguments.dropFirst()))
case "play": exit(playFile(arguments.dropFirst()))
default:
  print("usage: simulate seeds FROM TO [--minutes M] [--threads N] [--with NAME] [--first]")
  print("       simulate hash FROM TO | show SEED | play FILE | rehearse FILE…")
  exit(64)
}
