// Generated requests, bytes and files: npm run fuzz -- --requests 100000 --seed 1
import { parseArgs } from 'node:util'
import { fuzzFiles } from './files.ts'
import { fuzzRequests, type Report } from './fuzz.ts'
import { fuzzSocket } from './raw.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    /** sends only the request with this number again, of the kind that `kind` names */
    only: { type: 'string' },
    kind: { type: 'string' },
    failures: { type: 'string', default: '20' },
    'growth-mb': { type: 'string', default: '100' },
  },
})
const print = (line: string): boolean => process.stdout.write(`${line}\n`)
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0])
const only = values.only === undefined ? null : Number(values.only)
/**
 * The shares of connections and of files among the requests. They are small, because a connection costs more
 * than a request and tests only HTTP itself, and a file costs more too.
 */
const [SOCKET_SHARE, FILE_SHARE] = [0.02, 0.05]
/** Files that other parts of Bun open, such as its workers. */
const FILES_MAX = 20

const rangeOf = (share: number) =>
  only === null
    ? { seed, from: 1, count: Math.max(1, Math.round(Number(values.requests) * share)) }
    : { seed, from: only, count: 1 }

function growth({ grownMb, grownFiles, sent }: Report): string[] {
  if (only !== null || sent < Number(values.requests) / 2) return []
  return [
    ...(grownMb > Number(values['growth-mb']) ? [`the memory in use grew by ${Math.round(grownMb)} MB`] : []),
    ...(grownFiles > FILES_MAX ? [`${grownFiles} more files are open`] : []),
  ]
}

/** Each kind prints its failures, and returns their number. */
const kinds: Record<string, () => Promise<number>> = {
  async requests() {
    const report = await fuzzRequests({ ...rangeOf(1), failuresMax: Number(values.failures), say: print })
    const statuses = [...report.statuses].sort(([one], [other]) => one - other)
    const [grownMb, slowest] = [Math.round(report.grownMb), Math.round(report.slowestMs)]
    print(
      `requests: ${report.sent} sent, ${report.failures.length} failed; the slowest took ${slowest} ms; the memory in ` +
        `use grew by ${grownMb} MB, and the open files by ${report.grownFiles}`,
    )
    print(`statuses: ${statuses.map(([status, times]) => `${status} ${times} times`).join(', ')}`)
    const grown = growth(report)
    for (const fault of grown) print(fault)
    return report.failures.length + grown.length
  },
  async socket() {
    const { count } = rangeOf(SOCKET_SHARE)
    const failures = await fuzzSocket(rangeOf(SOCKET_SHARE))
    for (const { number, sent, faults } of failures) print(`${number}: ${faults.join('; ')}\n${sent}\n`)
    print(`socket: ${count} connections, ${failures.length} failures`)
    return failures.length
  },
  async files() {
    const { count } = rangeOf(FILE_SHARE)
    const failures = await fuzzFiles(rangeOf(FILE_SHARE))
    for (const { reader, number, problem } of failures) print(`${number}: ${reader} ${problem}\n`)
    print(`files: ${count} for each reader, ${failures.length} failures`)
    return failures.length
  },
}

const chosen = Object.entries(kinds).filter(([name]) => values.kind === undefined || name === values.kind)
if (chosen.length === 0 || (only !== null && values.kind === undefined)) {
  print(`--only needs --kind, which is one of: ${Object.keys(kinds).join(', ')}.`)
  process.exit(2)
}
print(`seed ${seed}`)
let failed = 0
for (const [, run] of chosen) failed += await run()
process.exit(failed > 0 ? 1 : 0)
