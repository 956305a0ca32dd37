// Runs the tests and ends with one line that says how many passed and failed. With --fast: types, lint and the
// tests that need no program but Bun. With --postgres: the tests of the storage and of the API, with PostgreSQL.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { postgresServer } from './support/postgres.ts'
import { isLightChromiumMissing, LIGHT_CHROMIUM, missingPackages } from './support/programs.ts'

const TEST_TIMEOUT_MS = 30_000
/** These files need no program but Bun and leave nothing behind, so a worker loads the product once for all. */
const FAST = ['test/unit/', 'test/storage/', 'test/http/', 'test/tidy.test.ts']
/** What the slowest files take: they start first, so that none is left over at the end. */
const TIMINGS = 'test/timings.json'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function runs(...command: string[]): Promise<boolean> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' })
  return (await child.exited) === 0
}

/** A development tool by its name; what it finds wrong is printed. */
async function checks(tool: string, ...args: string[]): Promise<boolean> {
  const child = Bun.spawn([`node_modules/.bin/${tool}`, ...args], { stdout: 'pipe', stderr: 'inherit' })
  const [text, status] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (status !== 0) say(text)
  return status === 0
}

/** Where we may, what no npm package brings is installed as Debian and Ubuntu install it. */
async function provideParts(): Promise<void> {
  const mayInstall = process.getuid?.() === 0 && Bun.which('apt-get') !== null
  if (!mayInstall) return
  const install = (...names: string[]) =>
    runs('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names)
  if (missingPackages().length > 0) await runs('apt-get', 'update', '-qq')
  if (isLightChromiumMissing()) {
    say(`Installing ${LIGHT_CHROMIUM} for the tests…`)
    await install(LIGHT_CHROMIUM)
  }
  const missing = missingPackages()
  if (missing.length === 0) return
  say(`Installing ${missing.join(', ')} for the tests…`)
  // If a distribution lacks one of them, apt-get installs none.
  if (!(await install(...missing))) for (const name of missing) await install(name)
}

const counted = (output: string, word: string): number =>
  Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0)

const SCRATCH_MIN_BYTES = 4 * 1024 ** 3

/** Real files, but in memory where there is room: nodes and databases sync to the disk all the time. */
function scratchOf(folder: string): string | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < SCRATCH_MIN_BYTES) return null
    const scratch = mkdtempSync(join(folder, 'florin-tests-'))
    // Some tests run a program as another user.
    chmodSync(scratch, 0o755)
    return scratch
  } catch {
    return null
  }
}

function removeScratch(scratch: string): void {
  try {
    rmSync(scratch, { recursive: true, force: true })
  } catch (error) {
    say(`${scratch} could not be removed: ${String(error)}`)
  }
}

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Runs one `bun test`. What it prints is shown while it runs, or as a whole at its end. */
async function runGroup(args: string[], env: Record<string, string>, isShownAtEnd = false): Promise<Counts> {
  const common = ['--only-failures', '--no-orphans', `--timeout=${TEST_TIMEOUT_MS}`, `--timings=${TIMINGS}`]
  const child = Bun.spawn([process.execPath, 'test', ...common, ...args], {
    stdout: 'inherit',
    stderr: 'pipe',
    env: { ...env, NO_COLOR: '1' },
  })
  let output = ''
  const decoder = new TextDecoder()
  for await (const part of child.stderr) {
    output += decoder.decode(part, { stream: true })
    if (!isShownAtEnd) process.stderr.write(part)
  }
  if (isShownAtEnd) process.stderr.write(output)
  const status = await child.exited
  const failed = counted(output, 'fail') + counted(output, 'errors?')
  return {
    passed: counted(output, 'pass'),
    failed: Math.max(failed, status === 0 ? 0 : 1),
    skipped: counted(output, 'skip'),
  }
}

const shared = ['--no-isolate', ...FAST]
/** These need PostgreSQL, which runs the tests of the API too. */
const POSTGRES = ['test/postgres/', 'test/http/']
const others = [...FAST, 'test/postgres/'].map(
  path => `--path-ignore-patterns=${path.endsWith('/') ? `${path}**` : path}`,
)

/** The tests that match the patterns; without any, all tests. */
function runTests(patterns: string[], env: Record<string, string>): Promise<Counts[]> {
  if (patterns.length > 0) return Promise.all([runGroup(['--parallel=4', ...patterns], env)])
  return Promise.all([
    runGroup(['--parallel=3', ...others], env),
    runGroup(['--parallel=1', ...shared], env, true),
  ])
}

const sumOf = (counts: Counts[], of: (one: Counts) => number): number =>
  counts.reduce((sum, one) => sum + of(one), 0)

async function runOnPostgres(patterns: string[], env: Record<string, string>): Promise<Counts[]> {
  const server = await postgresServer()
  const paths = patterns.length > 0 ? patterns : POSTGRES
  const url = server.url('postgres')
  const counts = await runGroup(['--parallel=3', ...paths], { ...env, FLORIN_TEST_DATABASE_URL: url })
  server.stop()
  return [counts]
}

process.chdir(`${import.meta.dir}/..`)
const patterns = process.argv.slice(2)
const isFast = patterns[0] === '--fast'
const isPostgres = patterns[0] === '--postgres'
if (isFast) {
  const sound = await Promise.all([
    checks('tsc', '--noEmit'),
    checks('biome', 'check', '--error-on-warnings'),
  ])
  if (sound.includes(false)) process.exit(1)
} else {
  await provideParts()
  if (!isPostgres && !(await runs(process.execPath, '.ci/build.ts'))) process.exit(1)
}
const scratch = scratchOf('/dev/shm')
const env = { ...(process.env as Record<string, string>), ...(scratch && { TMPDIR: scratch }) }
const counts = isFast
  ? // The fast tests build nothing: they run the source.
    [await runGroup(['--parallel=2', ...shared], env)]
  : isPostgres
    ? await runOnPostgres(patterns.slice(1), env)
    : await runTests(patterns, { FLORIN_EXECUTABLE: 'dist/florin', ...env })
if (scratch) removeScratch(scratch)
const passed = sumOf(counts, one => one.passed)
const failed = sumOf(counts, one => one.failed)
const skipped = sumOf(counts, one => one.skipped)
const isIncomplete = process.env.CI === 'true' && skipped > 0
if (isIncomplete) say(`${skipped} tests were skipped, which CI does not allow.`)
say(`${passed} passed, ${failed + (isIncomplete ? skipped : 0)} failed`)
process.exit(failed > 0 || isIncomplete || passed === 0 ? 1 : 0)
