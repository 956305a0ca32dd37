import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, runCli, startProcess } from '../support/process.ts'
import { EVM_WALLET, mapConcurrently } from './commands.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

const PAGE = 4096

/** Creates a data directory with rows. No process uses it. */
async function usedInstallation(): Promise<string> {
  const dataDir = newFolder()
  const florin = florinHere(dataDir)
  const { merchantId } = await florin.merchant('shop@shop.example')
  const { key } = await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' })
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
  for (let i = 0; i < 40; i++) {
    await server.call('POST', '/v1/orders', { key, body: orderBody({ description: 'x'.repeat(500) }) })
  }
  expect((await server.stop()).exitCode).toBe(0)
  return dataDir
}

const used = usedInstallation()
const copyOf = async (): Promise<string> => {
  const folder = newFolder()
  cpSync(await used, folder, { recursive: true })
  return folder
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

function overwrite(file: string, at: number, length: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, at)
  closeSync(handle)
}

/** Commands that read a damaged database, write to it or serve it. */
const lines = ['serve', 'merchant list', 'merchant create --email a@shop.example --name A', 'doctor']

type Damage = (dataDir: string) => void

const damages: [why: string, damage: Damage, words: RegExp][] = [
  ['text', dir => writeFileSync(databaseFile(dir), 'hello '.repeat(2000)), /damaged.*backup/s],
  ['an overwritten header', dir => overwrite(databaseFile(dir), 0, 100), /damaged.*backup/s],
  ['an overwritten schema', dir => overwrite(databaseFile(dir), 100, PAGE - 100), /damaged.*backup/s],
  [
    'tables of another program',
    dir => {
      writeFileSync(databaseFile(dir), '')
      new Database(databaseFile(dir)).run('CREATE TABLE recipes (name TEXT)')
    },
    /another program/,
  ],
  [
    'the schema of an unreleased version',
    dir => {
      const database = new Database(databaseFile(dir))
      database.run('ALTER TABLE migrations DROP COLUMN hash')
      database.close()
    },
    /unreleased version.*FLORIN_DATA_DIR/,
  ],
  [
    'migrations of a newer version',
    dir => {
      const database = new Database(databaseFile(dir))
      database.run("INSERT INTO migrations VALUES ('9999_future', 'x', 1, 0)")
      database.close()
    },
    /newer/,
  ],
]

describe('a database file is refused with exit code 1 and a message, and not changed, if it contains', () => {
  test.each(damages)('%s', async (_, damage, words) => {
    const dataDir = await copyOf()
    damage(dataDir)
    const before = hashOf(databaseFile(dataDir))
    const florin = florinHere(dataDir, { FLORIN_PORT: '0' })
    const seen = await mapConcurrently(lines, async line => {
      const ran = await florin.run(...line.split(' '))
      const text = line === 'doctor' ? ran.stdout + ran.stderr : ran.stderr
      return {
        line,
        exitCode: ran.exitCode,
        words: words.test(text) ? words : text,
        isBug: /is a bug/.test(text),
      }
    })
    expect(seen).toEqual(lines.map(line => ({ line, exitCode: 1, words, isBug: false })))
    expect(hashOf(databaseFile(dataDir))).toBe(before)
  })
})

describe('a data directory is refused with exit code 1 and a message if', () => {
  const all = ['serve', 'demo', 'merchant list', 'doctor']
  const withFile = (): string => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    return join(folder, 'file')
  }
  const withFolders = (): string => {
    const folder = newFolder()
    for (const home of [folder, join(folder, 'demo')]) mkdirSync(databaseFile(home), { recursive: true })
    return folder
  }
  const refused = (dataDir: string, command = FLORIN) =>
    mapConcurrently(all, async line => {
      const environment = { FLORIN_DATA_DIR: dataDir, FLORIN_PORT: '0', HOME: '/nowhere' }
      const { exitCode, stdout, stderr } = await runCli(line.split(' '), environment, command, '/')
      const text = line === 'doctor' ? stdout + stderr : stderr
      return { line, exitCode, isNamed: text.includes(dataDir), isBug: /is a bug/.test(text) }
    })
  const expected = all.map(line => ({ line, exitCode: 1, isNamed: true, isBug: false }))

  test.each([
    ['it is a file', withFile],
    ['it is inside a file', () => join(withFile(), 'data')],
    ['the database file is a directory', withFolders],
  ])('%s', async (_, dataDir) => {
    expect(await refused(dataDir())).toEqual(expected)
  })

  const isRoot = process.getuid?.() === 0
  const asNobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  test.skipIf(isRoot && Bun.which('setpriv') === null)('the user cannot write to it', async () => {
    const dataDir = await copyOf()
    cpSync(await used, join(dataDir, 'demo'), { recursive: true })
    chmodSync(dataDir, 0o555)
    chmodSync(join(dataDir, 'demo'), 0o555)
    expect(await refused(dataDir, [...asNobody, ...FLORIN])).toEqual(expected)
    chmodSync(join(dataDir, 'demo'), 0o755)
    chmodSync(dataDir, 0o755)
  })
})

describe('doctor', () => {
  test('reports each problem of a new installation, and what to do', async () => {
    const florin = florinHere()
    const { exitCode, stdout } = await florin.run('doctor')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('florin merchant create')
    expect(stdout).toContain('FLORIN_CHECKOUT_URL')
    const platform = await florin.run('doctor', '--json')
    expect(platform.exitCode).toBe(1)
    expect(JSON.parse(platform.stdout)).toBeObject()
  })

  test('reports a merchant without a payout wallet', async () => {
    const florin = florinHere(newFolder(), { FLORIN_CHECKOUT_URL: 'https://pay.shop.example' })
    await florin.merchant('shop@shop.example')
    const { exitCode, stdout } = await florin.run('doctor')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/wallet/)
    expect(stdout).not.toContain('FLORIN_CHECKOUT_URL')
  })

  test.each(['jobs', 'installation'])('reports a lost page of %s, and so does serve', async table => {
    const dataDir = await copyOf()
    const file = databaseFile(dataDir)
    const database = new Database(file)
    const page = database
      .query<{ rootpage: number }, [string]>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .get(table)!.rootpage
    database.close()
    overwrite(file, (page - 1) * PAGE, PAGE)
    const florin = florinHere(dataDir, { FLORIN_SANDBOX: 'true', FLORIN_PORT: '0' })
    const doctor = await florin.run('doctor')
    expect(doctor.stdout).toMatch(/damaged.*restore FILE/s)
    expect(doctor.stdout).not.toContain('***')
    const { exitCode, stderr, stdout } = await florin.run('serve')
    const last = stderr.trim().split('\n').at(-1)
    expect({ exitCode, stdout, last }).toEqual({
      exitCode: 1,
      stdout: '',
      last: expect.stringMatching(/damaged.*restore/i),
    })
    expect(stderr).not.toContain('bug in Florin')
  })

  test('reports damage in the middle of the database', async () => {
    const dataDir = await copyOf()
    const file = databaseFile(dataDir)
    const pages = statSync(file).size / PAGE
    for (let page = Math.floor(pages / 2); page < pages - 1; page++) overwrite(file, page * PAGE, PAGE)
    const { exitCode, stdout, stderr } = await florinHere(dataDir, { FLORIN_SANDBOX: 'true' }).run('doctor')
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toMatch(/damaged.*backup/s)
  })

  test('reports no problem in a complete installation', async () => {
    const dataDir = await copyOf()
    const database = new Database(databaseFile(dataDir))
    database.run("UPDATE installation SET mode = 'live'")
    database.close()
    const florin = florinHere(dataDir, { FLORIN_CHECKOUT_URL: 'https://pay.shop.example' })
    const { exitCode, stdout, stderr } = await florin.run('doctor')
    expect({ exitCode, stderr, stdout: stdout.includes('ERROR') }).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: false,
    })
  })
})

describe('the data directory', () => {
  test('can only be read by its owner', async () => {
    const dataDir = join(newFolder(), 'data')
    await florinHere(dataDir).merchant('shop@shop.example')
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(statSync(databaseFile(dataDir)).mode & 0o077).toBe(0)
  })
})
