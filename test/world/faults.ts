// Puts each fault into a copy of the source, one at a time, and runs the simulation with it, or the test that is
// named with the fault:
// bun test/world/faults.ts [--only NAME,NAME] [--seed 1] [--steps 50000] [--seeds 7,12] [--story NAME]
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { TEST_RUNTIME } from '../support/runtime.ts'
import { checkOut } from './earlier.ts'
import type { Edit, Fault } from './faults/fault.ts'
import { faults } from './faults/index.ts'
import { makeHistory } from './generate.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '50000' },
    /** only these seeds, each with all of its steps */
    seeds: { type: 'string' },
    /** runs only histories of one story, as in run.ts */
    story: { type: 'string' },
  },
})

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const root = join(import.meta.dir, '../..')
const copy = mkdtempSync(join(tmpdir(), 'florin-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** The folders of earlier versions, by their commits. */
const earlierFolders = new Map<string, string>()

/** Folders of the work tree that are large or generated. The copy lacks them. */
const LEFT_OUT = /^(?:\.git|node_modules|dist|data)$/
for (const name of new Bun.Glob('*').scanSync({ cwd: root, dot: true, onlyFiles: false })) {
  if (!LEFT_OUT.test(name)) cpSync(join(root, name), join(copy, name), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

function change(edits: readonly Edit[]): void {
  for (const { file, find, put } of edits) {
    const source = readFileSync(join(copy, file), 'utf8')
    if (source.split(find).length !== 2) throw new Error(`${file} does not have this text once: ${find}`)
    writeFileSync(
      join(copy, file),
      source.replace(find, () => put),
    )
  }
}

const restore = (edits: readonly Edit[]): void => {
  for (const { file } of edits) cpSync(join(root, file), join(copy, file))
}

/**
 * The first lines that a run prints about a failure. They are enough to see which rule failed; shortening the
 * history would take long.
 */
async function firstFailure(earlier: string[], seed: string, steps: string): Promise<string | null> {
  const command = [process.execPath, 'test/world/run.ts', '--seed', seed, '--steps', steps, ...earlier]
  if (values.story !== undefined) command.push('--story', values.story)
  const env = { ...process.env, ...TEST_RUNTIME }
  const child = Bun.spawn(command, { cwd: copy, env, stdout: 'pipe', stderr: 'inherit' })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    const found = /^Seed ([0-9]+) fails after ([0-9]+) steps: (.*)$/m.exec(text)
    if (!found) continue
    child.kill()
    return `seed ${found[1]}, step ${found[2]}: ${found[3]}`
  }
  // No rule found anything, for example because the run could not even start.
  if ((await child.exited) !== 0) say('The run ended with an error.')
  return null
}

/** Runs the chosen seeds, one after another, until one fails. */
async function firstOfChosen(earlier: string[]): Promise<string | null> {
  if (values.seeds === undefined) return firstFailure(earlier, values.seed, values.steps)
  for (const seed of values.seeds.split(',')) {
    const { steps } = makeHistory(Number(seed))
    const found = await firstFailure(earlier, seed, `${steps.length}`)
    if (found !== null) return found
  }
  return null
}

/** The option that names the version with which servers start. */
function startingWith(commit: string | undefined): string[] {
  if (commit === undefined) return []
  const folder = earlierFolders.get(commit) ?? checkOut(commit)
  earlierFolders.set(commit, folder)
  return ['--earlier', folder]
}

/** The number of tests of a file that fail, and the first of them; null if the run of the file succeeds. */
async function failures(file: string): Promise<string | null> {
  const command = [process.execPath, 'test', '--timeout', '60000', file]
  const child = Bun.spawn(command, { cwd: copy, stdout: 'ignore', stderr: 'pipe' })
  const text = await new Response(child.stderr).text()
  if ((await child.exited) === 0) return null
  const failed = new Set(text.match(/(?<=^[(]fail[)] ).*(?= [[])/gm))
  return `${failed.size} tests of ${file}, such as "${[...failed][0]}"`
}

async function findOne({ name, what, edits, earlier, test }: Fault): Promise<boolean> {
  if (test && (await failures(test)) !== null) throw new Error(`${test} fails without a fault`)
  change(edits)
  try {
    const found = await (test ? failures(test) : firstOfChosen(startingWith(earlier)))
    say(`${found === null ? 'NOT FOUND' : 'found'}  ${name} (${what})${found === null ? '' : `: ${found}`}`)
    return found !== null
  } finally {
    restore(edits)
  }
}

const only = values.only?.split(',')
const chosen = faults.filter(({ name }) => only === undefined || only.includes(name))
let found = 0
for (const one of chosen) if (await findOne(one)) found += 1
const where = values.seeds ? `seeds ${values.seeds}` : `${values.steps} steps from seed ${values.seed} on`
say(`${found} of ${chosen.length} faults were found, with ${where}.`)
process.exit(found === chosen.length ? 0 : 1)
