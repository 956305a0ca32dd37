// Builds the image by its Dockerfile, and runs it as the documentation says. See README.md.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../support/free-port.ts'

const ROOT = join(import.meta.dir, '../..')
const BASE = 'docker.io/library/debian:bookworm-slim'
const READY_MS = 30_000
const home = mkdtempSync(join(tmpdir(), 'florin-image-'))

interface Ran {
  exitCode: number
  output: string
}

function run(command: string[], environment: Record<string, string> = {}): Ran {
  const env = { ...process.env, ...environment }
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT, stdin: 'ignore', env })
  return { exitCode, output: `${stdout}${stderr}`.trim() }
}

function check(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new Error(`the image: ${sentence}`)
}

const say = (line: string): unknown => process.stdout.write(`${line}\n`)

function mustRun(...command: string[]): string {
  const { exitCode, output } = run(command)
  check(exitCode === 0, `${command.join(' ')} failed:\n${output}`)
  return output
}

/** Docker with the images of its daemon, or Podman with images of its own. */
function programOf(): string[] {
  if (Bun.which('docker') && run(['docker', 'info']).exitCode === 0) return ['docker']
  check(Bun.which('podman'), 'neither Docker with its daemon nor podman is here: apt-get install podman crun')
  const folders = ['--root', join(home, 'store'), '--runroot', join(home, 'run')]
  return ['podman', ...folders, '--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs']
}

const docker = programOf()
const isPodman = docker[0] === 'podman'
const tag = isPodman ? 'florin' : `florin-test-${process.pid}`
/** The names of the container and the volume of this run. */
const [name, volume] = [`florin-test-${process.pid}`, `florin-data-${process.pid}`]

/** On a machine that cannot pull images, a folder with Debian is the base. */
function build(base: string | undefined): void {
  if (base !== undefined) {
    const archive = join(home, 'base.tar')
    mustRun('tar', '-C', resolve(base), '--one-file-system', '-cf', archive, '.')
    mustRun(...docker, 'import', archive, BASE)
    rmSync(archive)
  }
  const podman = ['--isolation', 'chroot', '--layers=false', ...(base ? ['--pull=never'] : [])]
  mustRun(
    ...docker,
    'build',
    ...(isPodman ? podman : []),
    '-t',
    tag,
    '-f',
    '.github/docker/Dockerfile',
    'dist',
  )
  say(`ok    the image is built by its Dockerfile${base ? `, on the Debian in ${base}` : ''}`)
}

/** The options of \`docker run\` in the documentation, with the names and the port of this run. */
function documented(settings: string): string[] {
  const paper = readFileSync(join(ROOT, '.github/docs/operations.md'), 'utf8')
  const [, text = ''] = /docker run -d ([\s\S]*?) florin\n/.exec(paper) ?? []
  check(text.includes('--read-only'), 'the documentation has no docker run')
  return text
    .replaceAll('\\\n', ' ')
    .replace('--name florin', `--name ${name}`)
    .replace('florin-data:', `${volume}:`)
    .replace('127.0.0.1:3000:', '127.0.0.1::')
    .replace('/etc/florin.env', settings)
    .split(/\s+/)
}

const limit = mustRun('sh', '-c', 'ulimit -Hn')
/** Options for a machine on which containers get no network, no process groups and no higher limits. */
const confined = [
  '--network',
  'host',
  '--cgroups=disabled',
  `--ulimit=nofile=${limit}:${limit}`,
  '--ulimit=nproc=1024:1024',
]

function remove(): void {
  run([...docker, 'rm', '-f', name])
}

/** Starts a container and returns its address. Prints what the machine allows less than documented. */
function start(): string {
  const settings = join(home, 'florin.env')
  writeFileSync(settings, 'FLORIN_SANDBOX=public\n')
  remove()
  const full = run([...docker, 'run', '-d', ...documented(settings), tag])
  if (full.exitCode === 0) {
    const [address] = mustRun(...docker, 'port', name, '3000').split('\n')
    return `http://${address}`
  }
  const port = freePort()
  // Another port than 3000, which another server on this machine may use.
  writeFileSync(settings, `FLORIN_SANDBOX=public\nFLORIN_PORT=${port}\n`)
  remove()
  const given = documented(settings)
  const options = given.filter((option, at) => option !== '-p' && given[at - 1] !== '-p')
  const less = run([...docker, 'run', '-d', ...confined, ...options, tag])
  check(less.exitCode === 0, `no container starts:\n${full.output}\n${less.output}`)
  lacks.add(`with a network and groups of processes of its own, because: ${full.output.split('\n').at(-1)}`)
  return `http://127.0.0.1:${port}`
}

/** Options of the documentation that this machine does not allow. */
const lacks = new Set<string>()

async function untilReady(url: string): Promise<void> {
  const end = performance.now() + READY_MS
  while (performance.now() < end) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.status === 200) return
    await Bun.sleep(100)
  }
  throw new Error(`the image: the server is not ready:\n${run([...docker, 'logs', name]).output}`)
}

const inside = (...command: string[]): Ran => run([...docker, 'exec', name, ...command])

function sell(url: string): string {
  const florin = [...docker, 'exec', name, 'florin'].join(' ')
  const sold = run(['sh', 'test/support/sell.sh'], { URL: url, FLORIN: florin, KEY: join(home, 'key') })
  check(/^order \S+ PAID$/m.test(sold.output), `no payment was taken:\n${sold.output}`)
  return sold.output
}

/** The health check of the Compose file. The image has to have its programs. */
function healthCheck(url: string): string[] {
  const compose = Bun.YAML.parse(readFileSync(join(ROOT, '.github/docker/compose.yaml'), 'utf8'))
  const { services } = compose as { services: Record<string, { healthcheck: { test: string[] } }> }
  const [, ...words] = services['florin-1']?.healthcheck.test ?? []
  const port = isPodman ? new URL(url).port : '3000'
  return words.map(word => word.replaceAll('/3000 ', `/${port} `))
}

function looksInside(url: string): void {
  const rows: [what: string, command: string[], prints: RegExp][] = [
    ['it runs as the user florin', ['id'], /^uid=10001[(]florin[)]/],
    [
      'it has no privileges',
      ['grep', '-E', '^Cap(Eff|Bnd)|^NoNewPrivs', '/proc/1/status'],
      /Eff:\s0+\n.*Bnd:\s0+\n.*:\s1$/,
    ],
    [
      'its files cannot be changed',
      [
        'sh',
        '-c',
        '(echo > /usr/local/bin/florin) 2>&1; echo > /var/lib/florin/x && rm /var/lib/florin/x && echo data can',
      ],
      /(Read-only|denied)[\s\S]*data can$/,
    ],
    ['florin doctor runs beside the server', ['florin', 'doctor'], /database/],
    ['florin update leads to a newer image', ['florin', 'update'], /image of the newer version/],
    ['the check of the compose file finds it healthy', healthCheck(url), /^$/],
  ]
  const wrong = rows.flatMap(([what, command, prints]) => {
    const { output } = inside(...command)
    const isRight = prints.test(output)
    say(isRight ? `ok    ${what}` : `FAIL  ${what}\n${output}`)
    return isRight ? [] : [what]
  })
  check(wrong.length === 0, wrong.join(', '))
}

function stop(): number {
  const since = performance.now()
  mustRun(...docker, 'stop', name)
  const code = mustRun(...docker, 'inspect', name, '--format', '{{.State.ExitCode}}')
  check(code === '0', `it ended with status ${code}:\n${run([...docker, 'logs', name]).output}`)
  return performance.now() - since
}

async function story(): Promise<void> {
  const url = start()
  await untilReady(url)
  say('ok    a container of docker run is ready')
  looksInside(url)
  sell(url)
  say('ok    it takes a payment')
  say(`ok    it stops with status 0, after ${Math.round(stop())} ms`)
  const next = start()
  await untilReady(next)
  sell(next)
  say('ok    the next container has the data, and takes a payment')
  mustRun(...docker, 'kill', '--signal', 'KILL', name)
  const last = start()
  await untilReady(last)
  sell(last)
  say('ok    so has the one after a kill')
  stop()
}

/**
 * Podman's runtime refuses a machine that mounts both versions of control groups. Runs this script again
 * where the newer version is not mounted.
 */
function runWithOldGroups(): never {
  const command = 'umount /sys/fs/cgroup/unified && exec "$@"'
  const again = ['unshare', '--mount', 'sh', '-c', command, 'sh', process.execPath, ...process.argv.slice(1)]
  const { exitCode } = Bun.spawnSync(again, { stdio: ['ignore', 'inherit', 'inherit'] })
  process.exit(exitCode)
}

if (isPodman && existsSync('/sys/fs/cgroup/unified/cgroup.procs')) runWithOldGroups()
try {
  build(process.argv[2])
  await story()
  for (const lack of lacks) say(`not tried: a container ${lack}`)
} finally {
  remove()
  run([...docker, 'volume', 'rm', '-f', volume])
  if (!isPodman) run([...docker, 'rmi', '-f', tag])
  rmSync(home, { recursive: true, force: true })
}
