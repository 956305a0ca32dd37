import { dlopen, ptr } from 'bun:ffi'
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documentedUnit, unitsOf } from '../src/cli/setup/units.ts'
import { endProcesses, FLORIN, newFolder, ROOT, startProcess } from './support/process.ts'
import { findProgram, remedyOf } from './support/programs.ts'
import { until } from './support/until.ts'

// The socket that systemd opens for a unit with Type=notify.

const AF_UNIX = 1
const SOCK_DGRAM = 2
const MSG_DONTWAIT = 0x40

const open = () =>
  dlopen('libc.so.6', {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    bind: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    recv: { args: ['i32', 'ptr', 'usize', 'i32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  }).symbols

/** Listens on the path. A path that begins with "@" is abstract. */
function openNotifySocket(path: string) {
  const c = open()
  const socket = c.socket(AF_UNIX, SOCK_DGRAM, 0)
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), Buffer.from(path.replace(/^@/, '\0'))])
  if (c.bind(socket, ptr(address), address.length) !== 0) throw new Error(`cannot listen on ${path}`)
  const bytes = Buffer.alloc(4096)
  const received: string[] = []
  return {
    path,
    /** All messages so far. */
    received(): string[] {
      for (;;) {
        const length = Number(c.recv(socket, ptr(bytes), bytes.length, MSG_DONTWAIT))
        if (length < 0) return received
        received.push(bytes.subarray(0, length).toString())
      }
    },
    close: () => c.close(socket),
  }
}

afterAll(endProcesses)
/** Long enough for a busy machine, which takes many times the interval of the watchdog. */
const SIGN_MS = 20_000

const UNIT = join(ROOT, '.github/systemd/florin.service')
/**
 * The highest allowed exposure, from 0 (safe) to 100 (exposed). A unit with only User and NoNewPrivileges has
 * about 85.
 */
const EXPOSURE_MAX = 13

/** The units as florin setup writes them, and the one of the documentation. */
const written = (domain: string, dataDir = '/var/lib/florin') =>
  unitsOf({ domain, email: '', user: 'florin', dataDir, backupDir: '/var/backups/florin' }, '/usr/bin/florin')
const units: [name: string, file: string, text: string][] = [
  ['of the documentation', 'florin.service', documentedUnit],
  ...['', 'pay.shop.example'].flatMap(domain =>
    Object.entries(written(domain, domain === '' ? undefined : '/srv/florin')).map(
      ([file, text]) =>
        [`${file} of a setup with the domain "${domain}"`, file, text] as [string, string, string],
    ),
  ),
]

test('the systemd unit runs as its own user, has no privileges and writes to two directories', () => {
  const settings = readFileSync(UNIT, 'utf8').matchAll(/^(\w+)=(.*)$/gm)
  expect(Object.fromEntries([...settings].map(([, name, value]) => [name, value]))).toMatchObject({
    Type: 'notify',
    WatchdogSec: '60',
    TimeoutStartSec: 'infinity',
    User: 'florin',
    // By default, errors are logged like standard output.
    StandardError: 'journal',
    NoNewPrivileges: 'true',
    CapabilityBoundingSet: '',
    AmbientCapabilities: '',
    ProtectSystem: 'strict',
    ProtectHome: 'true',
    StateDirectory: 'florin',
    StateDirectoryMode: '0700',
    ReadWritePaths: '-/var/backups/florin',
    UMask: '0077',
    LimitCORE: '0',
  })
})

test('the server needs no netlink socket, which the unit forbids', () => {
  const files = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].filter(
    file => !file.startsWith('src/cli/setup/'),
  )
  const users = files.filter(file => readFileSync(join(ROOT, file), 'utf8').includes('networkInterfaces('))
  expect(users).toEqual([])
})

describe.if(process.platform === 'linux')('a server under systemd', () => {
  const watched = (path: string) => ({ NOTIFY_SOCKET: path, WATCHDOG_USEC: '400000' })

  test.each([
    ['a path', () => join(newFolder(), 'notify')],
    ['an abstract name', () => `@florin-test-${crypto.randomUUID()}`],
  ])('reports at %s that it is ready, that it runs, and that it stops', async (_kind, pathOf) => {
    const socket = openNotifySocket(pathOf())
    const server = await startProcess(FLORIN, ['serve'], watched(socket.path))
    await until(
      async () => socket.received().filter(one => one === 'WATCHDOG=1').length > 2,
      'signs of life',
      SIGN_MS,
    )
    expect(socket.received()[0]).toBe('READY=1')
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    await server.stop()
    expect(socket.received()).toContain('STOPPING=1')
    socket.close()
  })

  test('is silent while its process hangs, so that systemd ends it', async () => {
    const socket = openNotifySocket(join(newFolder(), 'notify'))
    const server = await startProcess(FLORIN, ['serve'], watched(socket.path))
    await until(async () => socket.received().includes('WATCHDOG=1'), 'a sign of life', SIGN_MS)
    process.kill(server.pid, 'SIGSTOP')
    await Bun.sleep(100)
    const before = socket.received().length
    await Bun.sleep(800)
    expect(socket.received().length).toBe(before)
    process.kill(server.pid, 'SIGCONT')
    await until(async () => socket.received().length > before, 'a sign of life', SIGN_MS)
    await server.stop()
    socket.close()
  })

  test('starts without the watchdog, and when its socket is gone', async () => {
    const socket = openNotifySocket(join(newFolder(), 'notify'))
    const other = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '400000', WATCHDOG_PID: '1' }
    const server = await startProcess(FLORIN, ['serve'], other)
    await until(async () => socket.received().includes('READY=1'), 'the server', SIGN_MS)
    socket.close()
    await server.stop()
    expect(socket.received()).toEqual(['READY=1'])
  })
})

// Most containers have no systemd, so CI may lack it too.
const program = findProgram('systemd-analyze')
if (program === null) {
  const missing = `systemd-analyze was not found; ${remedyOf('systemd-analyze')}`
  process.stderr.write(`systemd itself does not check the systemd unit: ${missing}\n`)
} else {
  describe('systemd-analyze finds that the unit', () => {
    function analyze(...args: string[]) {
      const { exitCode, stdout, stderr } = Bun.spawnSync([program!, ...args, '--no-pager'])
      return { exitCode, output: `${stdout}${stderr}` }
    }

    const fileOf = (name: string, text: string): string => {
      const file = join(newFolder(), name)
      writeFileSync(file, text.replaceAll(/\/usr(\/local)?\/bin\/florin/g, process.execPath))
      return file
    }

    test.each(units)('%s has no unknown settings', (_, name, text) => {
      // systemd-analyze checks a timer together with its service.
      const service = fileOf('florin-backup.service', written('')['florin-backup.service']!)
      const file = join(dirname(service), name)
      writeFileSync(file, readFileSync(fileOf(name, text)))
      expect(analyze('verify', file)).toEqual({ exitCode: 0, output: '' })
    })

    test('has a setting that does not exist', () => {
      const output = analyze(
        'verify',
        fileOf('florin.service', documentedUnit.replace('UMask=', 'Umask=')),
      ).output
      expect(output).toContain('Umask')
    })

    test.each(units.filter(([, file]) => file.endsWith('.service')))(
      'has a low exposure score: %s',
      (_, name, text) => {
        const limit = ['--offline=true', `--threshold=${EXPOSURE_MAX}`]
        const { exitCode, output } = analyze('security', ...limit, fileOf(name, text))
        const [score] = /Overall exposure level.*/.exec(output) ?? []
        expect({ exitCode, score }).toEqual({ exitCode: 0, score: expect.stringMatching(/OK|SAFE/) })
      },
    )
  })
}
