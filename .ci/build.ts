// Builds the executable, with views, styles, scripts and migrations inside. --all builds it for every system.
// --order=FILE uses the florin.start-order of another build instead of measuring one.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BUILD_OPTIONS } from './build-options.ts'
import { makeStartShop, shopSettings } from './start-shop.ts'

const targets = ['bun-linux-x64', 'bun-linux-arm64', 'bun-darwin-arm64', 'bun-windows-x64'] as const

/** What `git` prints; null if the source is not a checkout. */
function git(...args: string[]): string | null {
  if (Bun.which('git') === null) return null
  const { exitCode, stdout } = Bun.spawnSync(['git', ...args], { stderr: 'ignore' })
  return exitCode === 0 ? stdout.toString().trim() : null
}

/** The name of the commit is part of the executable: builds between two releases have the same version. */
function commitOption(): string[] {
  const commit = git('rev-parse', '--short=12', 'HEAD')
  if (commit === null) return []
  const hasChanges = git('status', '--porcelain', '--untracked-files=no') !== ''
  return ['--define', `FLORIN_COMMIT=${JSON.stringify(commit + (hasChanges ? '+changes' : ''))}`]
}

/** `order` names a file that lists the functions to put first. */
async function build(outfile: string, target: string | null, order: string | null): Promise<void> {
  const extra = [...(target ? [`--target=${target}`] : []), ...(order ? [`--bytecode-order=${order}`] : [])]
  const args = [...BUILD_OPTIONS, ...commitOption(), 'src/main.ts', '--outfile', outfile, ...extra]
  const child = Bun.spawn([process.execPath, 'build', ...args], { stdout: 'ignore', stderr: 'pipe' })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${outfile} could not be built:\n${complaint}`)
  // The executable contains its source maps; those beside it are copies.
  const folder = dirname(outfile)
  for (const name of readdirSync(folder)) if (name.endsWith('.map')) rmSync(join(folder, name))
}

/** Background work right after the start is part of the start. After a second, it gives back its memory. */
const SETTLE_MS = 1500
/** Starts differ in a few functions, by what is slow. */
const STARTS = 3

/** A kind of start: its settings, and the data folder that it finds. */
interface Start {
  settings: Record<string, string>
  data: string | null
}

/** Starts an executable and returns the functions it used, after the format of the list; null without one. */
async function functionsOfStart(program: string, { settings, data }: Start): Promise<string[] | null> {
  const folder = mkdtempSync(join(dirname(program), 'start-'))
  if (data !== null) cpSync(data, join(folder, 'data'), { recursive: true })
  const order = join(folder, 'order')
  const child = Bun.spawn([program, 'serve', '--json'], {
    cwd: folder,
    env: { FLORIN_PORT: '0', BUN_BYTECODE_ORDER_OUT: order, ...settings },
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: 30_000,
  })
  const { value } = await child.stdout.getReader().read()
  const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string }
  await (await fetch(`${url}/readyz`)).text()
  await Bun.sleep(SETTLE_MS)
  child.kill('SIGTERM')
  await child.exited
  return existsSync(order) ? readFileSync(order, 'utf8').trimEnd().split('\n') : null
}

/** The format of the list, and the functions that each start of a kind used, sorted. */
async function commonFunctions(program: string, kind: Start): Promise<[string, string[]] | null> {
  const starts = await Promise.all(Array.from({ length: STARTS }, () => functionsOfStart(program, kind)))
  if (!starts.every(used => used !== null)) return null
  const [[format = '', ...first] = [], ...others] = starts
  const sets = others.map(used => new Set(used))
  return [format, first.filter(one => sets.every(used => used.has(one))).sort()]
}

/**
 * Runs a trial executable, and returns a file that lists the functions which each start used, or null if there
 * is no list. Placing them together in the executable makes a start read 2 MiB less of it, 5 MiB less with the
 * accounts of a shop, and 5 MiB less in the sandbox, whose chains are looked at. The functions of every start
 * come first. They are sorted, because their order is never the same, and two builds of a commit must be.
 */
async function orderOfStart(folder: string): Promise<string | null> {
  const program = join(folder, process.platform === 'win32' ? 'florin.exe' : 'florin')
  await build(program, null, null)
  const shop = join(folder, 'shop')
  await makeStartShop(shop)
  const kinds = [
    { settings: {}, data: null },
    { settings: shopSettings, data: shop },
    { settings: { FLORIN_SANDBOX: 'true' }, data: null },
  ]
  const lists: [string, string[]][] = []
  for (const kind of kinds) {
    const list = await commonFunctions(program, kind)
    if (list === null) return null
    lists.push(list)
  }
  const order = join(folder, 'order')
  const functions = new Set(lists.flatMap(([, used]) => used))
  writeFileSync(order, `${[lists[0]?.[0], ...functions].join('\n')}\n`)
  return order
}

const folder = mkdtempSync(join(tmpdir(), 'florin-build-'))
try {
  const given = process.argv.find(argument => argument.startsWith('--order='))?.slice('--order='.length)
  const order = given ?? (await orderOfStart(folder))
  mkdirSync('dist', { recursive: true })
  if (order !== null) copyFileSync(order, 'dist/florin.start-order')
  for (const target of process.argv.includes('--all') ? targets : [null]) {
    const outfile = target ? `dist/florin-${target.replace('bun-', '')}` : 'dist/florin'
    await build(outfile, target, order)
    process.stdout.write(`${outfile}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
