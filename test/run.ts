// Runs the tests and ends with one line with the numbers of passed and failed tests. With --fast: types, lint
// and the tests that need no program but Bun, in parallel, without the files that take more than a second. With
// --postgres: the tests of the storage, the API and payments on chains, with PostgreSQL; a following --whole
// adds files that only repeat what others do. With --whole alone: all tests, and tests that otherwise run a
// sample run everything. With --ci: the same, but each page is checked in some of its looks, which chance
// chooses. With --measure: like --whole, and the durations of the files are recorded in test/timings.json.
import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onPostgres } from './postgres/files.ts'
import { postgresServer } from './support/postgres.ts'
import { isLightChromiumMissing, LIGHT_CHROMIUM, missingPackages } from './support/programs.ts'
import { TEST_RUNTIME } from './support/runtime.ts'
import { isWorthASecondRun, readReport } from './support/second-run.ts'
import { completeTimings, keepTimings, slowFiles, unexpected } from './support/timings.ts'

const TEST_TIMEOUT_MS = 60_000
/** A multiple of every number of looks that `waysOf` chooses from. */
const TURNS = 5040
/** These files need no program but Bun and leave nothing behind, so a worker loads the product only once. */
const FAST = ['test/unit/', 'test/storage/', 'test/http/', 'test/tidy.test.ts']
/** The compiler's state of the last run, so that it checks only what was changed. */
const TYPES_FOUND = 'node_modules/.cache/florin-types.json'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function runs(...command: string[]): Promise<boolean> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' })
  return (await child.exited) === 0
}

/** Runs a development tool by its name, and prints its findings. */
async function checks(tool: string, ...args: string[]): Promise<boolean> {
  const child = Bun.spawn([`node_modules/.bin/${tool}`, ...args], { stdout: 'pipe', stderr: 'inherit' })
  const [text, status] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (status !== 0) say(text)
  return status === 0
}

/** Checks types and style of the whole source. */
async function checkSource(): Promise<boolean> {
  const results = await Promise.all([
    // One checker, because each of several would infer the types of the routes and tables again.
    checks('tsc', '--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', TYPES_FOUND),
    checks('biome', 'check', '--error-on-warnings'),
  ])
  return !results.includes(false)
}

/** Installs missing programs that no npm package provides, if this user may, as Debian and Ubuntu do. */
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
  // If a distribution lacks one of the packages, apt-get installs none, so each is then tried alone.
  if (!(await install(...missing))) for (const name of missing) await install(name)
}

const counted = (output: string, word: string): number =>
  Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0)

const SCRATCH_MIN_BYTES = 4 * 1024 ** 3

/** A folder for real files, in memory if there is room: nodes and databases sync to the disk constantly. */
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

/** Files that failed at first and passed when they ran alone. */
const unstable: string[] = []
/** Tests that a slower machine may not finish in time. */
const slow: string[] = []
/** The duration of each file, in milliseconds. */
const durations: Record<string, number> = {}

type Environment = Record<string, string>

interface Counts {
  passed: number
  failed: number
  skipped: number
  /** processor time of the tests and of the programs that they waited for */
  seconds: number
}

interface Group {
  args: string[]
  env: Environment
  /** the file with the duration of each test file: the slowest start first, so that none ends late */
  timings: string
  isShownAtEnd?: boolean
}

interface Outcome extends Counts {
  failedFiles: string[]
  /** failures outside tests, whose file is unknown */
  errors: number
}

/** Runs one `bun test`. Prints its output while it runs, or all of it at the end. */
async function runOnce({ args, env, timings, isShownAtEnd = false }: Group): Promise<Outcome> {
  const report = join(dirname(timings), `${crypto.randomUUID()}.xml`)
  const common = ['--only-failures', '--no-orphans', `--timeout=${TEST_TIMEOUT_MS}`, `--timings=${timings}`]
  const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
  const child = Bun.spawn([process.execPath, 'test', ...common, ...reporter, ...args], {
    stdout: 'inherit',
    stderr: 'pipe',
    env: { ...TEST_RUNTIME, ...env, NO_COLOR: '1' },
  })
  let output = ''
  const decoder = new TextDecoder()
  for await (const part of child.stderr) {
    output += decoder.decode(part, { stream: true })
    if (!isShownAtEnd) process.stderr.write(part)
  }
  if (isShownAtEnd) process.stderr.write(output)
  const status = await child.exited
  const errors = counted(output, 'errors?')
  const found = readReport(report, TEST_TIMEOUT_MS)
  slow.push(...found.slow)
  Object.assign(durations, found.durations)
  return {
    passed: counted(output, 'pass'),
    failed: Math.max(counted(output, 'fail') + errors, status === 0 ? 0 : 1),
    skipped: counted(output, 'skip'),
    seconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
    failedFiles: found.failed,
    errors,
  }
}

/** In CI, a few failed files run once more, alone. Those that then pass are named, and do not count. */
async function runGroup(group: Group): Promise<Counts> {
  const first = await runOnce(group)
  const files = first.failedFiles
  if (process.env.CI !== 'true' || first.errors > 0 || !isWorthASecondRun(files)) return first
  const second = await runOnce({ ...group, args: ['--parallel=1', ...files], isShownAtEnd: false })
  if (second.failed > 0) return first
  unstable.push(...files)
  return { ...first, passed: first.passed + first.failed, failed: 0, seconds: first.seconds + second.seconds }
}

const shared = ['--no-isolate', ...FAST]
/** These tests need programs such as nodes, which they start and stop. */
const NODES = ['test/networks/', 'test/providers/', 'test/rates/', 'test/outbound/', 'test/migrations/']
/** They form one group, so that no worker still runs a long file when the others have finished. */
const starting = ['--no-isolate', ...NODES, 'test/cli/']
/** Each worker shares one Chromium among all its files. */
const browser = ['--no-isolate', 'test/browser/']
/** These tests kill servers, or count what runs on a server. */
const POSTGRES = ['test/postgres/', 'test/crash/kill']
const others = [...FAST, ...NODES, 'test/cli/', 'test/browser/', 'test/postgres/'].map(
  path => `--path-ignore-patterns=${path.endsWith('/') ? `${path}**` : path}`,
)

/** Builds the executable, and runs the tests that match the patterns; without patterns, runs all tests. */
async function runTests(
  patterns: string[],
  env: Environment,
  timings: string,
  ofPages: Environment = {},
): Promise<Counts[]> {
  let given = env
  const group = (...args: string[]): Group => ({ args, env: given, timings })
  const run = async (name: string, workers: number, args: string[], change: Partial<Group> = {}) => {
    const counts = await runGroup({
      ...group(`--parallel=${workers}`, ...args),
      isShownAtEnd: true,
      ...change,
    })
    // All groups should end at about the same time: one that ends late leaves a core idle.
    const [now, used] = [performance.now() / 1000, counts.seconds].map(Math.round)
    say(`The tests of ${name} ended after ${now} s, and took ${used} s of processor time.`)
    return counts
  }
  // These tests run the source, so they run during the build, which mostly waits for starts that it measures.
  const onSource = patterns.length > 0 ? null : run('units, the storage and the API', 2, shared)
  if (!(await runs(process.execPath, '.ci/build.ts'))) process.exit(1)
  given = { FLORIN_EXECUTABLE: 'dist/florin', ...env }
  if (onSource === null) return [await runGroup(group('--parallel=4', ...patterns))]
  return Promise.all([
    onSource,
    run('crashes, replicas and simulations', 1, others, { isShownAtEnd: false }),
    // Pages wait for the browser and the browser for pages, so three workers fit on a core and a half.
    run('pages', 3, browser, { env: { ...given, ...ofPages } }),
    run('commands and chains', 2, starting),
  ])
}

const sumOf = (counts: Counts[], of: (one: Counts) => number): number =>
  counts.reduce((sum, one) => sum + of(one), 0)

async function runOnPostgres(patterns: string[], env: Environment, timings: string): Promise<Counts[]> {
  const server = await postgresServer()
  const on = { ...env, FLORIN_TEST_DATABASE_URL: server.url('postgres') }
  const group = (...args: string[]): Group => ({ args, env: on, timings })
  const isWhole = patterns[0] === '--whole'
  const counts = await (patterns.length > 0 && !isWhole
    ? Promise.all([runGroup(group('--parallel=3', ...patterns))])
    : Promise.all([
        runGroup(group('--parallel=1', ...POSTGRES)),
        runGroup({
          ...group('--parallel=2', '--no-isolate', ...onPostgres(isWhole)),
          isShownAtEnd: true,
        }),
      ]))
  server.stop()
  return counts
}

const WHOLE = { FLORIN_TEST_WHOLE: 'true' }

/** Each run checks other looks of the pages, so that the runs of CI together check all of them. */
function looksInTurn(): Environment {
  const { FLORIN_TEST_TURN: turn = `${randomInt(TURNS)}` } = process.env
  say(`Pages are checked with FLORIN_TEST_TURN=${turn}`)
  return { FLORIN_TEST_WHOLE: 'false', FLORIN_TEST_TURN: turn }
}

/** The fast tests build nothing, because they run the source. */
function runAs(kind: string | undefined, env: Environment, timings: string): Promise<Counts[]> {
  const quick = ['--parallel=2', ...shared, ...slowFiles().map(file => `--path-ignore-patterns=${file}`)]
  if (kind === '--fast') return Promise.all([runGroup({ args: quick, env, timings })])
  if (kind === '--postgres') return runOnPostgres(process.argv.slice(3), env, timings)
  // Timings are measured with all repetitions, because the files that take longest then have to start first.
  if (kind === '--whole' || kind === '--measure') return runTests([], { ...env, ...WHOLE }, timings)
  if (kind === '--ci') return runTests([], { ...env, ...WHOLE }, timings, looksInTurn())
  return runTests(process.argv.slice(2), env, timings)
}

process.chdir(`${import.meta.dir}/..`)
const kind = process.argv[2]
const isFast = kind === '--fast'
if (!isFast) await provideParts()
const scratch = scratchOf('/dev/shm')
const templates = mkdtempSync(join(scratch ?? tmpdir(), 'florin-templates-'))
const env = {
  ...(process.env as Environment),
  ...(scratch && { TMPDIR: scratch }),
  FLORIN_TEST_TEMPLATES: templates,
}
const planned = mkdtempSync(join(tmpdir(), 'florin-timings-'))
const [isSound, counts] = await Promise.all([
  isFast ? checkSource() : true,
  runAs(kind, env, completeTimings(planned)),
])
for (const folder of [templates, scratch, planned]) if (folder) removeScratch(folder)
const passed = sumOf(counts, one => one.passed)
const failed = sumOf(counts, one => one.failed)
const skipped = sumOf(counts, one => one.skipped)
if (kind === '--measure' && failed === 0) keepTimings(durations)
const late =
  kind === undefined || kind === '--whole' || kind === '--ci' ? unexpected(durations, performance.now()) : []
const isIncomplete = process.env.CI === 'true' && skipped > 0
if (isIncomplete) say(`${skipped} tests were skipped, which CI does not allow.`)
for (const file of unstable) say(`UNSTABLE: ${file} failed once, and passed alone. Please fix it.`)
for (const test of slow)
  say(`SLOW: ${test}. Without a limit of its own, a test may take ${TEST_TIMEOUT_MS / 1000} s.`)
if (late.length > 0)
  say(`These files may start too late: ${late.join(', ')}. Update test/timings.json: npm test -- --measure`)
if (!isSound) say('The types or the style are wrong: see above.')
say(`${Math.round(sumOf(counts, one => one.seconds))} s of processor time`)
say(`${passed} passed, ${failed + (isIncomplete ? skipped : 0)} failed`)
process.exit(failed > 0 || isIncomplete || passed === 0 || !isSound ? 1 : 0)
