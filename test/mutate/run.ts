// Puts small faults into a copy of the source, one at a time, and runs the tests of the changed line:
// npm run mutate -- --seed 1 --sample 100 'src/operations/webhooks/**/*.ts'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readReport } from '../support/second-run.ts'
import { measureCoverage, TESTS, type TestFile } from './coverage.ts'
import { describeMutant, type Mutant, mutantsOf, mutated } from './mutants.ts'
import { plantedFaults } from './planted.ts'

/** The outcome of a mutant: a line in the file of results. */
interface Result {
  seed: number
  /** the mutant's place in the order of the seed at that time */
  number: number
  /** identifies the mutant as long as the source stays the same */
  mutant: string
  /** A mutant that a test finds is not compiled, so `types` means that no test found it. */
  found: 'tests' | 'types' | null
  /** the test file that found it */
  by?: string
  /** For a survivor, the test files that passed, with their content at that time. */
  passed?: string[]
  /** The number of tests of the line that were left out because they take too long. */
  untried?: number
  seconds: number
}

const addResult = (path: string, result: Result): void => appendFileSync(path, `${JSON.stringify(result)}\n`)

/** The results of a seed in the order of its mutants. The last result of a mutant counts. */
function readResults(path: string, seed: number): Result[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  const results = lines.map(line => JSON.parse(line) as Result).filter(result => result.seed === seed)
  return [...new Map(results.map(result => [result.mutant, result])).values()].sort(
    (one, other) => one.number - other.number,
  )
}

/** The percentage of mutants that were found, and a text with the details. */
function sumOf(results: Result[]): { score: number; text: string } {
  const of = (found: Result['found']): Result[] => results.filter(result => result.found === found)
  const [survivors, types] = [of(null), of('types').length]
  const compiled = results.length - types
  const score = (100 * (results.length - survivors.length)) / Math.max(1, results.length)
  const tested = (100 * of('tests').length) / Math.max(1, compiled)
  const lines = [
    `${results.length - survivors.length} of ${results.length} mutants were found (${score.toFixed(1)} %):`,
    `${of('tests').length} by tests, ${types} by the compiler alone, ${survivors.length} survived.`,
    `Tests found ${tested.toFixed(1)} % of those that compile.`,
    ...survivors.map(({ number, mutant, untried = 0 }) => {
      const rest = untried > 0 ? ` (${untried} test files untried)` : ''
      return `${number}. ${mutant}${rest}`
    }),
  ]
  return { score, text: lines.join('\n') }
}

/** Throws for a planted fault whose code has changed since, because it has to be written again. */
const plantedMutants = (sourceOf: (file: string) => string): Mutant[] =>
  plantedFaults().map(({ fault, file, before, after }) => {
    const source = sourceOf(file)
    const from = source.indexOf(before)
    if (from < 0 || source.includes(before, from + 1)) throw new Error(`Not once in ${file}: ${fault}`)
    const line = source.slice(0, from).split('\n').length
    return { file, line, from, to: from + before.length, replacement: after, fault }
  })

/** The code that decides about money, finds it on chains, and stores both. */
const MONEY = [
  ...['src/operations/{settlement,states,refunds}/*.ts', 'src/operations/webhooks/**/*.ts'],
  ...['src/domain/*.ts', 'src/networks/*/{scan,scanned,payments,amounts,verify*}.ts'],
  'src/storage/tables/{addresses,attempt-rows,attempts,events,jobs,keyset,movements,orders,quotas}.ts',
  'src/storage/tables/{list-orders,scans,statements,statistic*,transactions,unmatched}.ts',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    count: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    out: { type: 'string' },
    unit: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [TESTS] },
    planted: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    least: { type: 'string', default: '90' },
  },
})
/** Planted faults have no seed. */
const [seed, sample, least] = [
  values.planted ? 0 : Number(values.seed),
  Number(values.sample),
  Number(values.least),
]
const [start, count, secondsMax] = [
  Number(values.from),
  Number(values.count ?? sample),
  Number(values.seconds),
]

const testGlobs = values.unit ? ['test/unit/**/*.test.ts'] : values.tests

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const root = join(import.meta.dir, '../..')
const copy = mkdtempSync(join(tmpdir(), 'florin-mutants-'))
const out = values.out ?? join(copy, 'results.jsonl')
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** The limit of `npm test`: a test that a busy machine delays must not count as one that found a fault. */
const TEST_TIMEOUT_MS = 60_000

/** Folders of the work tree that are large or generated. The copy lacks them. */
const LEFT_OUT = /^(?:\.git|node_modules|dist|data)$/
function copyTree(): void {
  for (const name of new Bun.Glob('*').scanSync({ cwd: root, dot: true, onlyFiles: false })) {
    if (!LEFT_OUT.test(name)) cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // A mutant may leave a name unused.
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
  const config = { extends: './tsconfig.json', compilerOptions, include: ['src'] }
  writeFileSync(join(copy, 'tsconfig.mutate.json'), JSON.stringify(config))
}

const environment = { ...process.env, NO_COLOR: '1', FLORIN_TEST_TEMPLATES: copy }

/** Runs a program in the copy. Returns true if it succeeded in time. */
async function succeeds(command: string[], seconds: number): Promise<boolean> {
  const options = { cwd: copy, env: environment, stdout: 'ignore', stderr: 'ignore' } as const
  const child = Bun.spawn(command, { ...options, timeout: Math.ceil(seconds * 1000), killSignal: 'SIGKILL' })
  return (await child.exited) === 0
}

const TYPES = ['-p', 'tsconfig.mutate.json', '--incremental', '--tsBuildInfoFile', 'types.json']
const compiles = (): Promise<boolean> => succeeds(['node_modules/.bin/tsc', ...TYPES], 300)

/** Runs test files: undefined if all pass, else the file that failed, or null if they crashed or hung. */
async function failureIn(files: TestFile[]): Promise<{ file: string | null } | undefined> {
  const report = join(copy, 'report.xml')
  const options = [
    '--bail',
    `--timeout=${TEST_TIMEOUT_MS}`,
    '--reporter=junit',
    `--reporter-outfile=${report}`,
  ]
  const paths = files.map(({ file }) => `./${file}`)
  const limit = 30 + 10 * secondsOf(files)
  if (await succeeds([process.execPath, 'test', ...options, ...paths], limit)) return undefined
  return { file: readReport(report, TEST_TIMEOUT_MS).failed[0] ?? null }
}

const secondsOf = (files: TestFile[]): number => files.reduce((sum, { seconds }) => sum + seconds, 0)

/** Groups of tests, each several times as slow as the one before: the first group finds most mutants. */
function stagesOf(files: TestFile[]): { stages: TestFile[][]; untried: number } {
  const stages: TestFile[][] = []
  let [stage, limit, total]: [TestFile[], number, number] = [[], 0.5, 0]
  for (const [at, file] of files.entries()) {
    total += file.seconds
    if (total > secondsMax && at > 0) return { stages: [...stages, stage], untried: files.length - at }
    stage.push(file)
    if (secondsOf(stage) < limit) continue
    stages.push(stage)
    stage = []
    limit *= 4
  }
  return { stages: [...stages, stage], untried: 0 }
}

interface Chosen {
  number: number
  mutant: Mutant
  /** its result in an earlier run */
  earlier: Result | undefined
}

const stateOf = ({ file, hash }: TestFile): string => `${file} ${hash}`

/** Test files that failed late and also fail without a mutant: they cannot find one. */
const unsound = new Set<string>()

async function tryMutant({ number, mutant, earlier }: Chosen): Promise<Result> {
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 100) / 10
  const source = sourceOf(mutant.file)
  const result = { seed, number, mutant: nameOf(mutant) }
  const last = mutant.line + source.slice(mutant.from, mutant.to).split('\n').length - 1
  const tests = coverage
    .testsOf(mutant.file, mutant.line, last)
    .filter(test => !earlier?.passed?.includes(stateOf(test)))
  const { stages, untried } = stagesOf(tests)
  writeFileSync(join(copy, mutant.file), mutated(source, mutant))
  try {
    for (const stage of stages) {
      const by = await finderIn(stage, mutant)
      if (by) return { ...result, found: 'tests', by, seconds: seconds() }
    }
    const passed = [...(earlier?.passed ?? []), ...stages.flat().map(stateOf)]
    return { ...result, found: null, passed, untried, seconds: seconds() }
  } finally {
    writeFileSync(join(copy, mutant.file), source)
  }
}

/** The test file of a group that finds the mutant. */
async function finderIn(stage: TestFile[], mutant: Mutant): Promise<string | undefined> {
  for (;;) {
    const sound = stage.filter(({ file }) => !unsound.has(file))
    if (sound.length === 0) return undefined
    const began = performance.now()
    const failure = await failureIn(sound)
    if (!failure) return undefined
    const suspects = sound.filter(({ file }) => failure.file === null || file === failure.file)
    const isLate = performance.now() - began > 1000 * (10 + 3 * secondsOf(sound))
    if (!isLate || (await passWithout(mutant, suspects))) return failure.file ?? 'a crash or a hang'
    for (const { file } of suspects) unsound.add(file)
    say(`Left out, since they failed late and without a mutant too: ${[...unsound].join(' ')}`)
  }
}

async function passWithout(mutant: Mutant, files: TestFile[]): Promise<boolean> {
  const source = sourceOf(mutant.file)
  writeFileSync(join(copy, mutant.file), source)
  const failure = await failureIn(files)
  writeFileSync(join(copy, mutant.file), mutated(source, mutant))
  return failure === undefined
}

/** The mutants that do not compile. Checks many of different files at once, since most compile. */
async function refusedOf(mutants: Mutant[]): Promise<Mutant[]> {
  const [first, ...rest] = mutants
  if (!first) return []
  const isAlone = (mutant: Mutant, at: number, all: Mutant[]): boolean =>
    all.findIndex(({ file }) => file === mutant.file) === at
  const group = mutants.filter(isAlone)
  const others = mutants.filter(mutant => !group.includes(mutant))
  if (others.length > 0) return [...(await refusedOf(group)), ...(await refusedOf(others))]
  for (const mutant of group) writeFileSync(join(copy, mutant.file), mutated(sourceOf(mutant.file), mutant))
  const isAccepted = await compiles()
  for (const { file } of group) writeFileSync(join(copy, file), sourceOf(file))
  if (isAccepted) return []
  if (rest.length === 0) return [first]
  const half = group.length >> 1
  return [...(await refusedOf(group.slice(0, half))), ...(await refusedOf(group.slice(half)))]
}

/** The sources at the start of the run: they may be edited meanwhile. */
const sources = new Map<string, string>()
function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(copy, file), 'utf8')
  sources.set(file, source)
  return source
}

const nameOf = (mutant: Mutant): string => `${mutant.file}:${describeMutant(sourceOf(mutant.file), mutant)}`

/**
 * All mutants in an order that depends on the seed, the file and the change only: changes elsewhere in the
 * source do not move them.
 */
function drawn(): Mutant[] {
  const globs = positionals.length > 0 ? positionals : MONEY
  const files = new Set(globs.flatMap(glob => [...new Bun.Glob(glob).scanSync({ cwd: copy })]))
  // Different changes can make the same code.
  const all = [...files].flatMap(file => mutantsOf(file, sourceOf(file)))
  const mutants = [...new Map(all.map(mutant => [nameOf(mutant), mutant])).values()]
  say(`${mutants.length} mutants of ${files.size} files`)
  const keyOf = (mutant: Mutant): bigint => BigInt(Bun.hash(`${seed} ${nameOf(mutant).replace(/:\d+/, ' ')}`))
  return mutants
    .map(mutant => ({ mutant, key: keyOf(mutant) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ mutant }) => mutant)
}

copyTree()
const coverage = await measureCoverage(copy, testGlobs, say)
say('Measured')
const known = new Map(readResults(out, seed).map(result => [result.mutant, result]))
const sampled = values.planted ? plantedMutants(sourceOf) : drawn().slice(0, sample)
const chosen: Chosen[] = sampled
  .map((mutant, at) => ({ number: at + 1, mutant, earlier: known.get(nameOf(mutant)) }))
  .slice(start - 1, start - 1 + count)
  .filter(({ earlier }) => (values.again ? earlier?.found === null : earlier === undefined))
const survivors: { mutant: Mutant; result: Result }[] = []
for (const one of chosen) {
  const { number, mutant } = one
  const result = await tryMutant(one)
  addResult(out, result)
  if (result.found === null) survivors.push({ mutant, result })
  say(`${number}. ${result.by ?? 'SURVIVED'} (${result.seconds} s)  ${result.mutant}`)
}
// The compiler takes longer than unit tests, so it checks only mutants that all tests have passed.
const refused = values.unit ? [] : await refusedOf(survivors.map(({ mutant }) => mutant))
for (const { mutant, result } of survivors) {
  if (refused.includes(mutant)) addResult(out, { ...result, found: 'types' })
}
const names = new Set(sampled.map(nameOf))
const { score, text } = sumOf(readResults(out, seed).filter(({ mutant }) => names.has(mutant)))
say(`\n${values.planted ? 'Planted' : `Seed ${seed}`}: ${text}`)
process.exit(score < least ? 1 : 0)
