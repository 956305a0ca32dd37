import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The tests that can find a mutant. They need no executable, no browser and no database server. */
export const TESTS = 'test/{unit,storage,networks,providers,rates,http}/**/*.test.ts'
/** The results of earlier runs, so that only changed test files are measured again. */
const FOUND = 'node_modules/.cache/florin-mutate.json'
const SECONDS = 300

/** The processor time of one test file in seconds, and the lines that it runs, by source file. */
export interface Covered {
  hash: string
  seconds: number
  passes: boolean
  /** A line that ran once may have run only because its file was imported. */
  lines: Record<string, { once: number[]; often: number[] }>
}

export interface TestFile {
  file: string
  /** changes with the file, and with the source */
  hash: string
  seconds: number
}

const hashOf = (text: string): string => Bun.hash(text).toString(36)

function sourceHash(root: string): string {
  const files = [
    ...new Bun.Glob('{src,views,migrations,test/support}/**/*.ts').scanSync({ cwd: root }),
  ].sort()
  return hashOf(files.map(file => readFileSync(join(root, file), 'utf8')).join('\0'))
}

/** Runs a test file alone, without mutants. */
async function cover(root: string, file: string, hash: string): Promise<Covered> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-coverage-'))
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`]
  const child = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...coverage, `./${file}`], {
    cwd: root,
    env: { ...process.env, FLORIN_TEST_TEMPLATES: root },
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: SECONDS * 1000,
  })
  const passes = (await child.exited) === 0
  const seconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  const report = join(folder, 'lcov.info')
  const lines = existsSync(report) ? linesOf(readFileSync(report, 'utf8')) : {}
  rmSync(folder, { recursive: true })
  return { hash, seconds, passes, lines }
}

function linesOf(report: string): Covered['lines'] {
  const files = report.split('end_of_record').flatMap(record => {
    const file = /^SF:(src\/.*)$/m.exec(record)?.[1]
    if (file === undefined) return []
    const hits = [...record.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, count]) => ({
      line: Number(line),
      count: Number(count),
    }))
    const once = hits.filter(({ count }) => count === 1).map(({ line }) => line)
    const often = hits.filter(({ count }) => count > 1).map(({ line }) => line)
    return [[file, { once, often }] as const]
  })
  return Object.fromEntries(files)
}

/**
 * Measures the lines that each test file runs, unless they are known. `root` is a copy of the work tree with
 * unchanged source.
 */
export async function measureCoverage(
  root: string,
  globs: string[],
  say: (line: string) => void,
): Promise<Coverage> {
  const source = sourceHash(root)
  const files = globs.flatMap(glob => [...new Bun.Glob(glob).scanSync({ cwd: root })].sort())
  const found: Record<string, Covered> = {}
  for (const [at, file] of files.entries()) {
    const hash = hashOf(source + readFileSync(join(root, file), 'utf8'))
    const known = readFound(root)[file]
    found[file] = known?.hash === hash ? known : await cover(root, file, hash)
    if (known?.hash === hash) continue
    if (!found[file].passes) say(`Left out, since it fails without a mutant: ${file}`)
    if (at % 25 === 0) say(`Measured ${at} of ${files.length} test files`)
    if (at % 5 === 0) keepFound(root, found)
  }
  keepFound(root, found)
  return new Coverage(found)
}

let read: Record<string, Covered> | undefined
function readFound(root: string): Record<string, Covered> {
  const path = join(root, FOUND)
  read ??= existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Covered>) : {}
  return read
}

function keepFound(root: string, found: Record<string, Covered>): void {
  read = undefined
  mkdirSync(join(root, dirname(FOUND)), { recursive: true })
  writeFileSync(join(root, FOUND), JSON.stringify({ ...readFound(root), ...found }))
}

export class Coverage {
  readonly #found: Record<string, Covered>

  constructor(found: Record<string, Covered>) {
    this.#found = found
  }

  /** The test files that run one of these lines; first those that are fast and run few other lines. */
  testsOf(file: string, from: number, to: number): TestFile[] {
    const isIn = (line: number): boolean => line >= from && line <= to
    return Object.entries(this.#found)
      .flatMap(([test, { lines, seconds, passes, hash }]) => {
        const ran = lines[file]
        const isOften = ran?.often.some(isIn) ?? false
        if (!ran || !passes || (!isOften && !ran.once.some(isIn))) return []
        return [{ file: test, hash, seconds, isOften, cost: seconds * Object.keys(lines).length }]
      })
      .sort((one, other) => Number(other.isOften) - Number(one.isOften) || one.cost - other.cost)
      .map(({ file, hash, seconds }) => ({ file, hash, seconds }))
  }
}
