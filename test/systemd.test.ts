import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNotifySocket } from './support/notify-socket.ts'
import { endProcesses, FLORIN, newFolder, ROOT, startProcess } from './support/process.ts'
import { findProgram, remedyOf } from './support/programs.ts'
import { until } from './support/until.ts'

afterAll(endProcesses)
setDefaultTimeout(60_000)

/** A busy machine takes many times as long as the watchdog's interval. */
const SIGN_MS = 20_000

const UNIT = join(ROOT, '.github/systemd/florin.service')
/** From 0 (safe) to 100 (exposed). A unit with only User and NoNewPrivileges has about 85. */
const EXPOSURE_MAX = 15

test('the systemd unit runs as its own user, has no privileges and writes to two directories', () => {
  const settings = readFileSync(UNIT, 'utf8').matchAll(/^(\w+)=(.*)$/gm)
  expect(Object.fromEntries([...settings].map(([, name, value]) => [name, value]))).toMatchObject({
    Type: 'notify',
    WatchdogSec: '60',
    TimeoutStartSec: 'infinity',
    User: 'florin',
    // Without it, the log goes where standard output goes.
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

describe.if(process.platform === 'linux')('a server under systemd', () => {
  const watched = (path: string) => ({ NOTIFY_SOCKET: path, WATCHDOG_USEC: '400000' })

  test.each([
    ['a path', () => join(newFolder(), 'notify')],
    ['an abstract name', () => `@florin-test-${crypto.randomUUID()}`],
  ])('says at %s when it is ready, that it runs, and when it stops', async (_kind, pathOf) => {
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

// Most containers have no systemd and need none, so that CI may be without it too.
const program = findProgram('systemd-analyze')
if (program === null) {
  const missing = `systemd-analyze was not found; ${remedyOf('systemd-analyze')}`
  process.stderr.write(`systemd itself does not check the systemd unit: ${missing}\n`)
} else {
  describe('systemd finds that the unit', () => {
    function analyze(...args: string[]) {
      const { exitCode, stdout, stderr } = Bun.spawnSync([program!, ...args, '--no-pager'])
      return { exitCode, output: `${stdout}${stderr}` }
    }

    test('has no unknown settings', () => {
      const unit = join(newFolder(), 'florin.service')
      const text = readFileSync(UNIT, 'utf8').replace('/usr/local/bin/florin', process.execPath)
      writeFileSync(unit, text)
      expect(analyze('verify', unit)).toEqual({ exitCode: 0, output: '' })
      writeFileSync(unit, text.replace('UMask=', 'Umask='))
      expect(analyze('verify', unit).output).toContain('Umask')
    })

    test('exposes little of the system', () => {
      const { exitCode, output } = analyze('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, UNIT)
      const [score] = /Overall exposure level.*/.exec(output) ?? []
      expect({ exitCode, score }).toEqual({ exitCode: 0, score: expect.stringContaining('OK') })
    })
  })
}
