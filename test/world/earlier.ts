import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../simulation/random.ts'
import type { Build } from './build.ts'
import type { History, Step } from './steps.ts'

const ROOT = join(import.meta.dir, '../..')
const BUILD = 'test/world/build.ts'
/** Makes the random numbers of the installations independent of those of the history. */
const SALT = 20_000_011
/** The number of steps before the first installation on a machine, and before each later one. */
const [FIRST, LATER] = [
  [15, 150],
  [20, 300],
] as const

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
}

/** Copies the source of a commit to a folder that is removed at the end of the process, and makes it ready to run. */
export function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-earlier-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  run(['git', 'clone', '--quiet', '--shared', '--no-checkout', ROOT, folder], ROOT)
  run(['git', 'checkout', '--quiet', '--detach', commit], folder)
  const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(ROOT)) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    run([process.execPath, '.ci/texts.ts'], folder)
  } else run([process.execPath, '.ci/install.mjs'], folder)
  return folder
}

const builds = new Map<string, Build>()

/** The build of an earlier commit, or of a folder that `checkOut` made. */
export async function earlierBuild(from: string): Promise<Build> {
  const known = builds.get(from)
  if (known) return known
  const folder = existsSync(from) ? from : checkOut(from)
  copyFileSync(join(ROOT, BUILD), join(folder, BUILD))
  const { build }: { build: Build } = await import(join(folder, BUILD))
  builds.set(from, build)
  return build
}

/**
 * Lets the servers of a history start with an earlier version. At random steps, each server changes to this
 * version, back to the earlier one, and to this one again.
 */
export function fromEarlier({ setup, steps }: History, from: string): History {
  const random = seededRandom(setup.seed + SALT)
  const machines = setup.engine === 'postgres' ? 2 : 1
  const dueAt = Array.from({ length: machines }, () => random.between(...FIRST))
  const isEarlier = dueAt.map(() => true)
  const mixed = steps.flatMap((step, at): Step[] => {
    const due = [...dueAt.keys()].filter(machine => dueAt[machine] === at)
    const installs = due.map((machine): Step => {
      isEarlier[machine] = !isEarlier[machine]
      dueAt[machine] = at + random.between(...LATER)
      return { do: 'install', machine, version: isEarlier[machine] ? 'earlier' : 'this' }
    })
    return [...installs, step]
  })
  return { setup: { ...setup, earlier: { from, isReplaced: true } }, steps: mixed }
}

/**
 * The same history with servers that keep the earlier version, to find the failures that this version did not
 * cause.
 */
export function stayingEarlier({ setup, steps }: History): History | null {
  if (!setup.earlier?.isReplaced) return null
  return { setup: { ...setup, earlier: { ...setup.earlier, isReplaced: false } }, steps }
}
