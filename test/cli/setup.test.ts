import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Host, hostOf } from '../../src/cli/setup/host.ts'
import { alone } from '../../src/cli/setup/install.ts'
import type { Answers } from '../../src/cli/setup/plan.ts'
import { remove } from '../../src/cli/setup/remove.ts'
import { textOf } from '../../src/cli/setup/result.ts'
import { setUp } from '../../src/cli/setup/set-up.ts'
import { sqliteEngine } from '../../src/storage/sqlite/engine.ts'
import { lockUpdates } from '../../src/updates/lock.ts'
import { placeOf } from '../../src/updates/place.ts'
import { asLaterVersion } from '../support/later-migrations.ts'
import { endProcesses, newFolder, ROOT } from '../support/process.ts'
import { summaryOf } from './commands.ts'
import { runInProcess } from './in-process.ts'

afterAll(endProcesses)

const SERVER = '/etc/systemd/system/florin.service'
const BACKUP = '/etc/systemd/system/florin-backup.service'
const TIMER = '/etc/systemd/system/florin-backup.timer'
const SETTINGS = '/etc/florin.env'
const units = [SERVER, BACKUP, TIMER]
/** The ID of a user that exists on no machine. Only root can give files to other users. */
const UID = process.getuid?.() === 0 ? 54_321 : (process.getuid?.() ?? 0)

/**
 * Fakes of the programs that setup runs: shell scripts that record their calls, and keep users and services
 * as files.
 */
const programs: Record<string, string> = {
  getent: `test -e "$STATE/user" && echo "$2:x:${UID}:${process.getgid?.() === 0 ? UID : process.getgid?.()}::/:/x" || exit 2`,
  useradd: `test "$1" = --help || touch "$STATE/user"`,
  userdel: `rm "$STATE/user" || exit 6`,
  systemctl: `case "$1" in
is-active) test -e "$STATE/active";;
start|restart) test "$2" = florin.service || exit 0; test ! -e "$STATE/broken" && touch "$STATE/active";;
disable|stop) rm -f "$STATE/active";;
esac`,
  journalctl: `echo 'FLORIN_RATES names an unknown source'`,
  runuser: `case "$*" in
*'user list'*) test -e "$STATE/person" && echo '{"items":[{"email":"a@shop.example","hasPassword":true}]}' || echo '{"items":[]}';;
*'user code'*) echo '{"link":"https://pay.shop.example/dashboard/link/CODE"}';;
*'user create'*) echo '{"link":"https://pay.shop.example/dashboard/link/PERSON"}';;
esac`,
}

/** A fake machine with systemd, in a folder. Its commands are recorded in `calls`. */
function newHost(change: Partial<Host> = {}) {
  const [root, bin, state] = [newFolder(), newFolder(), newFolder()]
  const log = join(state, 'calls')
  for (const [name, script] of Object.entries(programs)) {
    const file = join(bin, name)
    writeFileSync(file, `#!/bin/sh\nSTATE=${state}\necho "${name} $*" >> ${log}\n${script}\n`)
    chmodSync(file, 0o755)
  }
  const put = (path: string, text = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  put('/etc/hostname')
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
  const executable = join(newFolder(), 'florin')
  writeFileSync(executable, 'the executable')
  const host: Host = {
    ...hostOf(null, `${bin}:/usr/bin:/bin`),
    ...{ root, executable, holderOf: () => null, lookUp: async () => ({ count: 1, elsewhere: [] }) },
    ...change,
  }
  const has = (path: string) => existsSync(join(root, path))
  return {
    host,
    put,
    has,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    mode: (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8),
    is: (name: string, isSo = true) => isSo && writeFileSync(join(state, name), ''),
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
    setUp: (answers: Answers = {}) => alone(host, () => setUp(host, answers, true)),
    remove: () => alone(host, () => remove(host)),
  }
}

/** A database in a folder, as a server leaves it behind. */
async function newDatabase(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const storage = await sqliteEngine(folder).open(Date.now(), { as: 'server', mode: 'live' })
  await storage.close()
}

const DOMAIN = { domain: 'pay.shop.example', email: 'me@shop.example' }

describe('florin setup', () => {
  test('makes a service with a daily backup, starts it, and shows the link for the first person', async () => {
    const one = newHost()
    const result = await one.setUp(DOMAIN)
    expect([...units, SETTINGS, '/var/lib/florin', '/usr/local/bin/florin'].map(one.mode)).toEqual([
      ...['644', '644', '644', '600', '700', '755'],
    ])
    expect(one.read(SETTINGS).match(/^FLORIN.*$/gm)).toEqual([
      'FLORIN_DATA_DIR=/var/lib/florin',
      'FLORIN_BACKUP_DIR=/var/backups/florin',
      'FLORIN_DOMAIN=pay.shop.example',
      'FLORIN_ACME_EMAIL=me@shop.example',
    ])
    expect(one.read('/usr/local/bin/florin')).toBe('the executable')
    const done = one.calls().filter(call => /^(user|systemctl (daemon|en|start|restart))/.test(call))
    expect(done.map(call => call.split(' ').slice(0, 3).join(' '))).toEqual([
      ...['useradd --help', 'useradd --system --user-group', 'systemctl daemon-reload'],
      ...['systemctl enable --quiet', 'systemctl start florin.service'],
      'systemctl start florin-backup.timer',
    ])
    const text = textOf(result)
    for (const part of ['/dashboard/link/PERSON', 'Made the user florin', 'Ports 80 and 443'])
      expect(text).toContain(part)
    const { uid } = statSync(join(one.host.root, SETTINGS))
    expect(uid).toBe(UID)
  })

  test('changes nothing when it runs again, and later only what differs', async () => {
    const one = newHost()
    // The data directory is on a disk of its own.
    one.put('/var/lib/florin/lost+found/file')
    await one.setUp(DOMAIN)
    one.is('person')
    const before = one.calls().length
    const again = await one.setUp()
    expect([again.changes, again.link]).toEqual([[], null])
    expect(one.calls().slice(before).join()).not.toMatch(/useradd|restart/)
    const other = await one.setUp({ domain: 'buy.shop.example' })
    expect(other.changes.map(line => line.replaceAll(one.host.root, ''))).toEqual([
      'Changed the settings in /etc/florin.env',
      'Restarted the service florin',
    ])
    writeFileSync(one.host.executable!, 'a newer one')
    expect((await one.setUp()).changes.join()).toMatch(/^Replaced .*florin by this version,Restarted/)
  })

  test('keeps settings that were added or changed by hand', async () => {
    const one = newHost()
    const own =
      '# mine\nexport FLORIN_RATES="kraken"\nFLORIN_METRICS_TOKEN=secret-of-the-metrics-1234567890\nFLORIN_DOMAIN="old.example"'
    one.put(SETTINGS, own)
    chmodSync(join(one.host.root, SETTINGS), 0o644)
    await one.setUp({ domain: 'pay.shop.example' })
    expect(one.read(SETTINGS)).toBe(
      `${own.replace('"old.example"', 'pay.shop.example')}\n` +
        'FLORIN_DATA_DIR=/var/lib/florin\nFLORIN_BACKUP_DIR=/var/backups/florin\n',
    )
    expect(one.mode(SETTINGS)).toBe('600')
  })

  test('a server on PostgreSQL gets no timer, because its backups are made by other tools', async () => {
    const one = newHost()
    one.put(SETTINGS, 'FLORIN_DATABASE_URL=postgres://florin@db/florin\n')
    await one.setUp()
    expect(units.map(one.has)).toEqual([true, false, false])
    expect(one.read(SETTINGS)).not.toContain('BACKUP')
  })

  test('runs again after it was killed at any point, with the same outcome', async () => {
    const whole = newHost()
    await whole.setUp(DOMAIN)
    const killed = [[], ['/var/lib/florin/x'], [SETTINGS], [SETTINGS, SERVER], [SETTINGS, SERVER, BACKUP]]
    for (const done of killed) {
      const one = newHost()
      one.put('/etc/florin.setup.json', whole.read('/etc/florin.setup.json'))
      for (const path of done) if (path.startsWith('/etc')) one.put(path, whole.read(path))
      one.put('/etc/systemd/system/.florin.service.setup', 'half of a un')
      const { link } = await one.setUp(DOMAIN)
      expect([...units, SETTINGS].map(one.read)).toEqual([...units, SETTINGS].map(whole.read))
      expect([link === null, one.has('/etc/systemd/system/.florin.service.setup')]).toEqual([false, false])
    }
  })

  test('explains why the server does not start, and starts it when it runs again', async () => {
    const one = newHost()
    one.is('broken')
    await expect(one.setUp()).rejects.toThrow(/does not start.*\nFLORIN_RATES names an unknown source/)
    expect(one.has(SERVER)).toBe(true)
  })

  test('writes no unit without systemd, and prints how to start the server', async () => {
    const one = newHost({ root: newFolder() })
    mkdirSync(join(one.host.root, 'etc'))
    const result = await one.setUp(DOMAIN)
    const text = textOf(result)
    expect(units.map(path => existsSync(join(one.host.root, path)))).toEqual([false, false, false])
    expect(text).toContain('not started by systemd')
    expect(text).toMatch(/setpriv --reuid=florin .*net_bind_service.* serve --env-file \/etc\/florin.env/)
    expect(textOf(await one.setUp({ domain: '' }))).toMatch(
      /setpriv --reuid=florin --regid=florin --init-groups --no-new-privs \S+ serve/,
    )
  })
})

type Row = [
  why: string,
  prepare: (one: ReturnType<typeof newHost>) => unknown,
  words: RegExp,
  answers?: Answers,
]

describe('florin setup refuses, and changes nothing,', () => {
  test.each<Row>([
    ['a port that another program holds', () => {}, /Port 80 is used by nginx .process 7/, DOMAIN],
    ['a unit that was written by hand', one => one.put(SERVER, '[Service]'), /systemctl edit florin/],
    [
      'a unit that is masked',
      one => {
        one.put('/etc/systemd/system/x')
        symlinkSync('/dev/null', join(one.host.root, SERVER))
      },
      /unmask florin.service/,
    ],
    [
      'another program in the place of its own',
      one => one.put('/usr/local/bin/florin', 'other'),
      /another program/,
    ],
    [
      'a directory with files of others',
      one => one.put('/var/lib/florin/notes', ''),
      /files of another user/,
    ],
    ['a file in the place of the directory', one => one.put('/var/lib/florin'), /not a directory/],
    ['a full disk', one => Object.assign(one.host, { freeBytes: () => 9e6 }), /has 8 MiB free, and 256 MiB/],
    ['settings that no server could start with', one => one.put(SETTINGS, 'FLORIN_PORT=many'), /FLORIN_PORT/],
    ['a line that is no setting', one => one.put(SETTINGS, 'FLORIN_PORT=1\nsecret'), /^Line 2 of /],
    [
      'an update that is running',
      one => {
        one.put('/usr/local/bin/florin.update.lock')
        lockUpdates(join(one.host.root, '/usr/local/bin/florin.update.lock'))
      },
      /florin update is running/,
    ],
    [
      'a database that a newer version migrated',
      one => asLaterVersion(() => newDatabase(join(one.host.root, '/var/lib/florin'))),
      /cannot use the database in .*9001_order_notes.*Use that version, or restore an older backup/,
    ],
    ['a record that is damaged', one => one.put('/etc/florin.setup.json', '{'), /is damaged/],
    [
      'data elsewhere',
      one => one.put(SETTINGS, 'FLORIN_DATA_DIR=/srv/a'),
      /does not move/,
      { dataDir: '/srv/b' },
    ],
    ['a domain that is an address', () => {}, /FLORIN_DOMAIN lists "10.0.0.1"/, { domain: '10.0.0.1' }],
    ['an invalid email address', () => {}, /must be an email address/, { email: 'me' }],
    ['root as the user', () => {}, /not root/, { user: 'root' }],
    ['a user that is an option', () => {}, /lower-case letters/, { user: '-r' }],
    ['a directory of the system', () => {}, /belongs to the system/, { dataDir: '/var/../etc/florin' }],
    [
      'a directory that services do not see',
      () => {},
      /belongs to the system/,
      { dataDir: '/home/me/florin' },
    ],
    ['a directory that would break the unit', () => {}, /absolute path/, { dataDir: '/srv/a b\nUser=root' }],
  ])('%s', async (_, prepare, words, answers = {}) => {
    const one = newHost({ holderOf: port => (port === 80 ? 'nginx (process 7)' : null) })
    await prepare(one)
    const made = () => [...units, '/etc/florin.setup.json'].map(path => one.has(path) && one.read(path))
    const before = made()
    await expect(one.setUp(answers)).rejects.toThrow(words)
    expect([made(), one.calls().filter(call => /useradd --sys|systemctl [^i]/.test(call))]).toEqual([
      before,
      [],
    ])
  })
})

test.each([
  [
    '99.0.0',
    /is Florin 99.0.0, and this is \S+ To set up the installed one, run it: sudo \S+florin setup. .*--rollback/,
  ],
  ['0.0.1', null],
])('over the installed version %s, florin setup refuses or replaces it: %p', async (installed, refusal) => {
  const one = newHost()
  await one.setUp()
  const file = join(one.host.root, '/usr/local/bin/florin')
  writeFileSync(file, `#!/bin/sh\necho '{"version":"${installed}"}'\n`)
  const before = one.read('/usr/local/bin/florin')
  if (refusal === null) expect((await one.setUp()).changes.join()).toMatch(/^Replaced /)
  else {
    await expect(one.setUp()).rejects.toThrow(refusal)
    expect(one.read('/usr/local/bin/florin')).toBe(before)
  }
})

describe('florin setup --remove', () => {
  test('removes files that updates left beside the executable, and waits for an update that runs', async () => {
    const one = newHost()
    await one.setUp()
    const { executable, lock } = placeOf(join(one.host.root, '/usr/local/bin/florin'))
    for (const name of ['previous', 'previous.new', 'download', 'update.json', 'update.json.new'])
      writeFileSync(`${executable}.${name}`, '')
    const unlock = lockUpdates(lock)
    await expect(one.remove()).rejects.toThrow(/florin update is running/)
    expect([one.has(SERVER), existsSync(executable)]).toEqual([true, true])
    unlock?.()
    await one.remove()
    expect(readdirSync(dirname(executable))).toEqual([])
  })

  test('removes what setup made, keeps the data, and allows another setup', async () => {
    const one = newHost()
    one.put('/etc/systemd/system/other.service', 'other')
    await one.setUp(DOMAIN)
    one.put('/var/lib/florin/florin.sqlite', 'data')
    const { changes, data } = await one.remove()
    expect([...units, '/usr/local/bin/florin', '/etc/florin.setup.json'].filter(one.has)).toEqual([])
    expect(data).toEqual(
      ['/var/lib/florin', '/var/backups/florin', SETTINGS].map(at => join(one.host.root, at)),
    )
    expect([changes.includes('Removed the user florin'), one.read('/var/lib/florin/florin.sqlite')]).toEqual([
      ...[true, 'data'],
    ])
    expect([one.has('/etc/systemd/system/other.service'), one.calls().includes('userdel florin')]).toEqual([
      true,
      true,
    ])
    expect(await one.remove()).toEqual({ changes: [], kept: [], data: [] })
    await one.setUp()
    expect(one.read(SETTINGS)).toContain('FLORIN_DOMAIN=pay.shop.example')
    expect(statSync(join(one.host.root, '/var/lib/florin/florin.sqlite')).uid).toBe(UID)
  })

  test('keeps what setup did not make: an existing user, an executable, a changed unit', async () => {
    const one = newHost()
    one.is('user')
    one.put('/usr/local/bin/florin', 'the executable')
    Object.assign(one.host, { executable: join(one.host.root, '/usr/local/bin/florin') })
    await one.setUp()
    one.put(SERVER, `${one.read(SERVER)}# mine\n`)
    const { kept } = await one.remove()
    expect([one.has(SERVER), one.has(TIMER), one.has('/usr/local/bin/florin')]).toEqual([true, false, true])
    expect([kept.length, one.calls().some(call => call.startsWith('userdel'))]).toEqual([1, false])
  })
})

test('two setups do not run at the same time', async () => {
  const one = newHost()
  await expect(alone(one.host, () => one.setUp())).rejects.toThrow(/Another florin setup is running/)
  expect((await one.setUp()).changes).not.toEqual([])
})

test('the program that listens on a port is named', () => {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  expect(hostOf(null).holderOf(server.port)).toMatch(new RegExp(`\\(process ${process.pid}\\)$`))
  server.stop(true)
})

describe('on the command line', () => {
  test('--root writes below a folder, starts nothing, and prints the remaining steps', async () => {
    const root = join(newFolder(), 'image')
    const args = ['setup', '--root', root, '--yes', '--user', 'pay', '--data-dir', '/srv/pay']
    const { exitCode, stdout } = await runInProcess({}, ...args)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Nothing was started')
    expect(readFileSync(join(root, SERVER), 'utf8')).toMatch(/^User=pay$/m)
    expect(readFileSync(join(root, SERVER), 'utf8')).toMatch(/^ReadWritePaths=\/srv\/pay$/m)
    expect(statSync(join(root, '/srv/pay')).mode & 0o777).toBe(0o700)
    const again = JSON.parse((await runInProcess({}, ...args, '--json')).stdout)
    expect(again).toMatchObject({ changes: [], user: 'pay', isStarted: false, link: null })
    const removed = await runInProcess({}, 'setup', '--remove', '--root', root)
    expect([removed.exitCode, existsSync(join(root, SERVER)), existsSync(join(root, '/srv/pay'))]).toEqual([
      ...[0, false, true],
    ])
  })

  test('needs the answers or --yes without a terminal', async () => {
    const ran = await runInProcess({}, 'setup', '--root', newFolder(), '--domain', 'pay.shop.example')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toContain('--email, --user, --data-dir')
  })
})

test('the documented drop-in is the one that setup writes for a domain', async () => {
  const paper = readFileSync(join(ROOT, '.github/docs/operations.md'), 'utf8')
  const [, dropIn = ''] = /```ini\n\s+\[Service\]\n([\s\S]*?)```/.exec(paper) ?? []
  const root = newFolder()
  await runInProcess({}, 'setup', '--root', root, '--yes', '--domain', 'pay.shop.example')
  const lines = readFileSync(join(root, SERVER), 'utf8').split('\n')
  const wanted = dropIn
    .split('\n')
    .map(line => line.trim())
    .filter(line => /^\w/.test(line))
  expect([wanted.length, wanted.filter(line => !lines.includes(line))]).toEqual([3, []])
})
