// Puts small faults into a copy of the source, one at a time, and runs the tests that import the changed file:
// npm run mutate -- --seed 1 --sample 100 'src/operations/webhooks/**/*.ts'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../simulation/random.ts'
import { failedFiles } from '../support/second-run.ts'
import { describeMutant, type Mutant, mutantsOf, mutated } from './mutants.ts'
import { stagesOf, testsByDistance } from './tests.ts'

/** What decides about money, and what finds it on chains. */
const MONEY = [
  'src/operations/settlement/*.ts',
  'src/domain/*.ts',
  'src/networks/*/scan.ts',
  'src/networks/*/verify*.ts',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '100' },
    least: { type: 'string', default: '90' },
    unit: { type: 'boolean', default: false },
  },
})
const [seed, sample, least] = [Number(values.seed), Number(values.sample), Number(values.least)]

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const root = join(import.meta.dir, '../..')
const copy = mkdtempSync(join(tmpdir(), 'florin-mutants-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** As `npm test` has it: what a busy machine delays must not pass for a fault that was found. */
const TEST_TIMEOUT_MS = 60_000

/** All of the work tree but what is large or made. */
const LEFT_OUT = /^(?:\.git|node_modules|dist|data)$/
function copyTree(): void {
  for (const name of new Bun.Glob('*').scanSync({ cwd: root, dot: true, onlyFiles: false })) {
    if (!LEFT_OUT.test(name)) cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // A mutant may leave a name without a use.
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
  const config = { extends: './tsconfig.json', compilerOptions, include: ['src'] }
  writeFileSync(join(copy, 'tsconfig.mutate.json'), JSON.stringify(config))
}

const environment = { ...process.env, NO_COLOR: '1', FLORIN_TEST_TEMPLATES: copy }

/** Runs a program in the copy. Returns whether it succeeded within the time. */
async function succeeds(command: string[], seconds: number): Promise<boolean> {
  const options = { cwd: copy, env: environment, stdout: 'ignore', stderr: 'ignore' } as const
  const child = Bun.spawn(command, { ...options, timeout: Math.ceil(seconds * 1000), killSignal: 'SIGKILL' })
  return (await child.exited) === 0
}

const compiles = (): Promise<boolean> =>
  succeeds(
    [
      'node_modules/.bin/tsc',
      '-p',
      'tsconfig.mutate.json',
      '--incremental',
      '--tsBuildInfoFile',
      'types.json',
    ],
    300,
  )

/** Files whose tests fail without a mutant too: they can find none. */
const unsound = new Set<string>()

/** Whether all tests of the files pass; otherwise the file that failed, or null if they crashed or hung. */
async function failureIn(files: string[]): Promise<{ file: string | null } | undefined> {
  const report = join(copy, 'report.xml')
  const common = ['--bail', '--no-isolate', `--timeout=${TEST_TIMEOUT_MS}`]
  const options = [...common, '--reporter=junit', `--reporter-outfile=${report}`]
  const paths = files.map(file => `./${file}`)
  const seconds = 60 + 3 * files.length
  if (await succeeds([process.execPath, 'test', ...options, ...paths], seconds)) return undefined
  return { file: failedFiles(report)[0] ?? null }
}

/** Returns the test file that found the mutant, or null. */
async function foundBy(mutant: Mutant, distances: Map<string, number>): Promise<string | null> {
  for (const { name, files } of stagesOf(mutant.file, distances, values.unit)) {
    for (;;) {
      const sound = files.filter(file => !unsound.has(file))
      const failure = sound.length > 0 ? await failureIn(sound) : undefined
      if (!failure) break
      if (failure.file === null) return `${name}, which crashed or hung`
      if (await passesWithout(mutant, failure.file)) return failure.file
      unsound.add(failure.file)
      say(`Left out, since it fails without a mutant too: ${failure.file}`)
    }
  }
  return null
}

/** Whether the tests of a file pass while the source is as it is without the mutant. */
async function passesWithout(mutant: Mutant, file: string): Promise<boolean> {
  const path = join(copy, mutant.file)
  writeFileSync(path, sourceOf(mutant.file))
  const failure = await failureIn([file])
  writeFileSync(path, mutated(sourceOf(mutant.file), mutant))
  return failure === undefined
}

/** The sources as they were when the run began: somebody may work on them meanwhile. */
const sources = new Map<string, string>()
function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(copy, file), 'utf8')
  sources.set(file, source)
  return source
}

/** All mutants in an order that depends on the seed alone. */
function drawn(): Mutant[] {
  const globs = positionals.length > 0 ? positionals : MONEY
  const files = globs.flatMap(glob => [...new Bun.Glob(glob).scanSync({ cwd: copy })].sort())
  const mutants = [...new Set(files)].flatMap(file => mutantsOf(file, sourceOf(file)))
  const random = seededRandom(seed)
  return mutants
    .map(mutant => ({ mutant, key: random.int(2 ** 32) }))
    .sort((one, other) => one.key - other.key)
    .map(({ mutant }) => mutant)
}

copyTree()
const byFile = testsByDistance(copy)
const survivors: string[] = []
let [tried, refused] = [0, 0]
for (const mutant of drawn()) {
  if (tried === sample) break
  const source = sourceOf(mutant.file)
  writeFileSync(join(copy, mutant.file), mutated(source, mutant))
  if (await compiles()) {
    tried++
    const finder = await foundBy(mutant, byFile(mutant.file))
    const text = `${mutant.file}:${describeMutant(source, mutant)}`
    if (finder === null) survivors.push(text)
    say(`${tried}. ${finder === null ? 'survived' : `found by ${finder}`}  ${text}`)
  } else refused++
  writeFileSync(join(copy, mutant.file), source)
}
const score = tried === 0 ? 0 : (100 * (tried - survivors.length)) / tried
say(`\nSeed ${seed}: ${tried - survivors.length} of ${tried} mutants were found (${score.toFixed(1)} %).`)
say(`${refused} more did not compile. Survivors: ${survivors.length}`)
for (const survivor of survivors) say(survivor)
process.exit(score < least ? 1 : 0)
