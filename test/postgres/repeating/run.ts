// Finds the test files that need not run on PostgreSQL, and writes their names to files.json. New files run until
// then. Both engines run the same operations, and differ only in the statements of the storage: a file repeats
// others if each of its statements runs in two of them. Takes ten minutes: bun test/postgres/repeating/run.ts
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_RUNTIME } from '../../support/runtime.ts'
import { onEitherEngine, REPEATING } from '../files.ts'

/** Min number of the files that remain in which a statement runs, unless fewer have it. */
const TIMES = 2
/**
 * Files that always run on PostgreSQL: races, crashes and sums depend on how an engine isolates transactions.
 */
const ALWAYS =
  /race|random|coverage|part-pay|second-pay|idempotency|crash|refund|settle|unmatched|elsewhere|late/

interface Traced {
  file: string
  statements: Set<string>
  ms: number
}

async function trace(file: string, folder: string): Promise<Traced> {
  const output = join(folder, `${crypto.randomUUID()}.json`)
  const preload = join(import.meta.dir, 'trace.ts')
  const command = [process.execPath, 'test', '--preload', preload, '--timeout=120000', file]
  const startedAt = performance.now()
  const env = { ...process.env, ...TEST_RUNTIME, FLORIN_TRACE: output }
  const child = Bun.spawn(command, { env, stdout: 'ignore', stderr: 'ignore' })
  if ((await child.exited) !== 0) throw new Error(`${file} failed.`)
  const statements = await Bun.file(output)
    .json()
    .catch(() => [])
  return { file, statements: new Set(statements), ms: performance.now() - startedAt }
}

async function traceAll(files: string[]): Promise<Traced[]> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-traces-'))
  const waiting = [...files]
  const traced: Traced[] = []
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      traced.push(await trace(file, folder))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  rmSync(folder, { recursive: true })
  return traced.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The files that remain: those that always do, then in turn the one that adds most for its time. */
function remaining(traced: Traced[]): Set<string> {
  const left = new Map<string, number>()
  for (const { statements } of traced)
    for (const one of statements) left.set(one, Math.min(TIMES, (left.get(one) ?? 0) + 1))
  const chosen = new Set<string>()
  const choose = ({ file, statements }: Traced): void => {
    chosen.add(file)
    for (const one of statements) left.set(one, (left.get(one) ?? 0) - 1)
  }
  const worth = ({ statements, ms }: Traced): number =>
    [...statements].filter(one => (left.get(one) ?? 0) > 0).length / ms
  for (const one of traced) if (ALWAYS.test(one.file)) choose(one)
  for (;;) {
    const others = traced.filter(({ file }) => !chosen.has(file)).toSorted((a, b) => worth(b) - worth(a))
    const [best] = others
    if (!best || worth(best) === 0) return chosen
    choose(best)
  }
}

const traced = await traceAll(onEitherEngine())
const kept = remaining(traced)
const repeating = traced.map(({ file }) => file).filter(file => !kept.has(file))
await Bun.write(REPEATING, `${JSON.stringify(repeating, null, 2)}\n`)
const before = new Set<string>(JSON.parse(readFileSync(REPEATING, 'utf8')))
process.stdout.write(`${before.size} of ${traced.length} files repeat what others do.\n`)
