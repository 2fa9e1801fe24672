// The rules of Tests/TidyTests/Rules without a build of the package: `Scripts/check --fast`.
import Glibc

let repository = Repository(root: CommandLine.arguments.dropFirst().first ?? ".")
let findings = Rule.all.flatMap { $0.findings(repository) }
for finding in findings { print(finding) }
exit(findings.isEmpty ? 0 : 1)
