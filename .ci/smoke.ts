// Starts the built executable in empty and in hostile folders, and takes a payment with it.
import {
  copyFileSync,
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

/** The most that a start may take, or `REFERENCE_STARTS` starts of the reference if those take longer. */
const FIRST_ANSWER_MAX_MS = 150
/** Florin takes 3.2 to 3.6 times as long as the reference, on idle and on busy machines. */
const REFERENCE_STARTS = 4
const STARTS = 7
/** While none was quick, the machine may be busy with something else. */
const STARTS_MAX = 40
/** The pause before each further start. */
const PAUSE_MS = 2000
const GIVE_UP_MS = 20_000
/** Of an idle server, without and with accounts of a shop. Systems differ in how much of a file they map. */
const IDLE_MAX_MIB = { 'without accounts': 64, 'with cards and Lightning': 68 }
/** After this time, a start has given back what it alone needed. */
const SETTLE_MS = 3000

const home = mkdtempSync(join(tmpdir(), 'florin-smoke-'))
const program = join(home, process.platform === 'win32' ? 'florin.exe' : 'florin')
copyFileSync('dist/florin', program)
const reference = join(home, process.platform === 'win32' ? 'reference.exe' : 'reference')

function check(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new Error(`the smoke test failed: ${sentence}`)
}

interface StartedServer {
  url: string
  pid: number
  firstAnswerMs: number
  output: Promise<string>
  stop(): Promise<void>
}

/** A free port. Another program may take it meanwhile: then the start fails and says so. */
function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port!
}

async function firstAnswer(url: string, child: Bun.Subprocess): Promise<void> {
  const end = performance.now() + GIVE_UP_MS
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) return
    await Bun.sleep(1)
  }
  throw new Error(`the smoke test failed: ${url} did not answer`)
}

const emptyFolder = () => mkdtempSync(join(home, 'empty-'))

/** Starts a command with no environment except the port and these settings. */
async function start(
  command: string,
  folder = emptyFolder(),
  settings = {},
  executable = program,
): Promise<StartedServer> {
  const before = readdirSync(folder)
  const url = `http://127.0.0.1:${freePort()}`
  const startedAt = performance.now()
  const child = Bun.spawn([executable, command, '--json'], {
    cwd: folder,
    env: { FLORIN_PORT: new URL(url).port, ...settings },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  await firstAnswer(`${url}/readyz`, child)
  const firstAnswerMs = performance.now() - startedAt
  const reader = child.stdout.getReader()
  return {
    url,
    pid: child.pid,
    firstAnswerMs,
    output: reader.read().then(({ value }) => new TextDecoder().decode(value)),
    async stop() {
      child.kill('SIGTERM')
      check((await child.exited) === 0, `${command} did not stop cleanly`)
      const left = readdirSync(folder).filter(name => !before.includes(name))
      check(
        left.every(name => name === 'data'),
        `${command} left more than its data folder`,
      )
    },
  }
}

/** Builds the reference with the options of Florin. */
function buildReference(): void {
  const args = [
    'build',
    ...BUILD_OPTIONS,
    join(import.meta.dir, 'start-reference.ts'),
    '--outfile',
    reference,
  ]
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...args], { stdout: 'ignore' })
  check(exitCode === 0, `the reference could not be built: ${stderr}`)
}

/** Compares starts of Florin and of the reference, in turn. */
async function startsQuickly(): Promise<void> {
  buildReference()
  const times: number[] = []
  const references: number[] = []
  const mostMs = () => Math.max(FIRST_ANSWER_MAX_MS, REFERENCE_STARTS * Math.min(...references))
  const isQuick = () => Math.min(...times) < mostMs()
  while (times.length < STARTS || (times.length < STARTS_MAX && !isQuick())) {
    // A machine that is busy with something else for a while gets time to finish it.
    if (times.length >= STARTS) await Bun.sleep(PAUSE_MS)
    for (const [executable, list] of [
      [program, times],
      [reference, references],
    ] as const) {
      const server = await start('serve', emptyFolder(), {}, executable)
      list.push(server.firstAnswerMs)
      await server.stop()
    }
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  process.stdout.write(
    `The first request is answered ${Math.min(...times).toFixed(0)} ms after the start in an empty folder ` +
      `(best of ${times.length}; median ${median.toFixed(0)} ms; at most ${mostMs().toFixed(0)} ms;` +
      ` the reference takes ${Math.min(...references).toFixed(0)} ms).\n`,
  )
  check(isQuick(), 'the start is too slow')
}

const TRACE = 'trace-of-the-folder'

/** Files that Bun, Node and compilers look for in the folder where they are started. */
function hostileFiles(folder: string): Record<string, string> {
  const script = join(folder, 'hostile.ts')
  const settings = [
    `FLORIN_SECURITY_CONTACT=https://${TRACE}.example`,
    `FLORIN_DATA_DIR=${join(folder, TRACE)}`,
    `BUN_OPTIONS=--preload=${script}`,
    `NODE_OPTIONS=--require=${script}`,
    'FLORIN_SMTP_URL=invalid',
  ].join('\n')
  const bunfig = `preload = ["./hostile.ts"]\n[run]\npreload = ["./hostile.ts"]\n`
  const everything = { '*': ['./hostile.ts'], 'node:*': ['./hostile.ts'] }
  const dotenv = ['', '.local', '.development', '.development.local', '.production', '.production.local']
  return {
    ...Object.fromEntries(dotenv.map(kind => [`.env${kind}`, settings])),
    'bunfig.toml': bunfig,
    '.bunfig.toml': bunfig,
    'hostile.ts': `require('node:fs').writeFileSync(${JSON.stringify(join(folder, TRACE))}, '')`,
    'package.json': JSON.stringify({
      type: 'commonjs',
      browser: { fs: './hostile.ts' },
      main: './hostile.ts',
    }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { baseUrl: '.', paths: everything } }),
    'node_modules/elysia/index.js': `require('../../hostile.ts')`,
    'node_modules/fs/index.js': `require('../../hostile.ts')`,
  }
}

/** A folder that anybody can write to, as an administrator may be in. */
function hostileFolder(): string {
  const folder = mkdtempSync(join(home, 'hostile-'))
  for (const [name, content] of Object.entries(hostileFiles(folder))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

function namesItsCommit(): void {
  const commit = Bun.spawnSync(['git', 'rev-parse', '--short=12', 'HEAD'], { stderr: 'ignore' }).stdout
  const { stdout } = Bun.spawnSync([program, 'version'], { cwd: home, env: {} })
  check(stdout.includes(commit.toString().trim()), `version prints ${stdout}`)
}

function ignoresItsFolder(): void {
  const folder = hostileFolder()
  const before = readdirSync(folder).join()
  // Bun also looks for a bunfig in the home folder.
  const environments = [{}, { NODE_ENV: 'production' }, { HOME: folder, XDG_CONFIG_HOME: folder }]
  for (const args of [['version'], ['config'], ['user', 'list']]) {
    for (const env of environments) {
      const { stdout, stderr } = Bun.spawnSync([program, ...args], { cwd: folder, env, timeout: GIVE_UP_MS })
      const isRead = [TRACE, 'FLORIN_SMTP_URL must'].some(text => `${stdout}${stderr}`.includes(text))
      check(!isRead, `${args.join(' ')} read settings from a file of its folder`)
      check(readdirSync(folder).join() === before, `${args.join(' ')} ran code of its folder`)
    }
  }
}

/** Measures the memory of idle servers, where the system reports it. */
async function staysSmall(): Promise<void> {
  if (process.platform !== 'linux') return
  const withShop = emptyFolder()
  await makeStartShop(join(withShop, 'data'))
  const servers = [await start('serve'), await start('serve', withShop, shopSettings)]
  await Bun.sleep(SETTLE_MS)
  for (const [at, [name, most]] of Object.entries(IDLE_MAX_MIB).entries()) {
    const status = readFileSync(`/proc/${servers[at]?.pid}/status`, 'utf8')
    const used = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
    process.stdout.write(`An idle server ${name} needs ${used} MiB (at most ${most}).\n`)
    check(used <= most, 'the server needs too much memory')
  }
  for (const server of servers) await server.stop()
}

async function takePayment(): Promise<void> {
  const server = await start('demo', hostileFolder())
  const { checkoutUrl, liveKey } = JSON.parse(await server.output)
  const page = await (await fetch(checkoutUrl)).text()
  // The dashboard is loaded with the first request to it.
  const dashboard = await (await fetch(`${server.url}/dashboard/sign-in`)).text()
  check(dashboard.includes('/assets/dashboard-'), 'the dashboard is not inside')
  for (const [, path] of (page + dashboard).matchAll(/(?:src|href)="(\/[^"]+\.(?:css|js))"/g)) {
    check((await fetch(server.url + path)).status === 200, `${path} is not inside`)
  }
  for (const [, tag = ''] of page.matchAll(/ hreflang="([\w-]+)"/g)) {
    const translated = await (await fetch(`${checkoutUrl}?lang=${tag}`)).text()
    check(translated.includes(`<html lang="${tag}"`), `the texts of ${tag} are not inside`)
  }
  const orderUUID = new URL(checkoutUrl).pathname.split('/').at(-1)
  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { method: 'POST', body, headers, redirect: 'manual' })
  check(
    (await post(`/pay/${orderUUID}/crypto`, new URLSearchParams({ asset: 'btc' }))).status === 303,
    'crypto',
  )
  const json = { 'content-type': 'application/json' }
  await post('/sandbox/simulate', JSON.stringify({ orderUUID, outcome: 'paid' }), json)
  await post(`/pay/${orderUUID}/check`, new URLSearchParams())
  const read = await fetch(`${server.url}/v1/orders/${orderUUID}`, { headers: { 'x-api-key': liveKey } })
  const { data } = (await read.json()) as { data: { status: string } }
  check(data.status === 'PAID', `the order is ${data.status} and not PAID`)
  await server.stop()
}

try {
  namesItsCommit()
  ignoresItsFolder()
  process.stdout.write(
    'The built executable takes no code and no settings from the folder where it is started.\n',
  )
  await startsQuickly()
  await staysSmall()
  await takePayment()
  process.stdout.write('The built executable took a payment. Smoke test passed.\n')
} finally {
  rmSync(home, { recursive: true, force: true })
}
