import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { sqliteEngine } from '../../src/storage/sqlite/engine.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { asLaterVersion, laterMigrations } from '../support/later-migrations.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { florinIn, summaryOf } from './commands.ts'
import { runInProcess } from './in-process.ts'

/** The migrations of this version, before a test adds later ones. */
const today = migrations.map(({ name }) => name)

const given = newFolder()
beforeAll(() => florinIn(given).merchant('shop@shop.example'))
afterAll(endProcesses)

const copyOf = (): string => {
  const folder = newFolder()
  cpSync(given, folder, { recursive: true })
  return folder
}
const within = (dataDir: string, line: string) =>
  runInProcess({ FLORIN_DATA_DIR: dataDir }, ...line.split(' '))
const migrationsIn = (dataDir: string) => {
  const database = new Database(databaseFile(dataDir), { readonly: true })
  const names = database.query('SELECT name FROM migrations').values().flat()
  database.close()
  return names
}
const copiesIn = (dataDir: string) => readdirSync(dataDir).filter(name => name.includes('.before-'))

describe('a newer version of Florin', () => {
  test.each(['merchant list', 'merchant create --email b@shop.example --name B'])(
    'does not migrate the database of an older one: %s',
    async line => {
      const dataDir = copyOf()
      const before = readFileSync(databaseFile(dataDir))
      const ran = await asLaterVersion(() => within(dataDir, line))
      expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toMatch(/migrations.*: 2.*florin migrate/)
      expect(readFileSync(databaseFile(dataDir)).equals(before)).toBe(true)
    },
  )

  test('migrates once with florin migrate, which prints the copy that it made', async () => {
    const dataDir = copyOf()
    const [first, second, list] = await asLaterVersion(async () => [
      await within(dataDir, 'migrate --json'),
      await within(dataDir, 'migrate --json'),
      await within(dataDir, 'merchant list'),
    ])
    const names = laterMigrations.map(({ name }) => name)
    expect(JSON.parse(first!.stdout)).toEqual({
      migrations: names,
      copy: expect.stringContaining('.before-'),
    })
    expect(existsSync(JSON.parse(first!.stdout).copy)).toBe(true)
    expect(JSON.parse(second!.stdout)).toEqual({ migrations: [], copy: null })
    expect(list!.stdout).toContain('shop@shop.example')
    expect(migrationsIn(dataDir)).toEqual([...today, ...names])
  })

  test('does not migrate while a server runs, neither by migrate nor by a second server', async () => {
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: copyOf() })
    const ran = await asLaterVersion(() => within(server.dataDir, 'migrate'))
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toMatch(/another process is using it/)
    expect(migrationsIn(server.dataDir)).toEqual(today)
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('leaves one copy, however often a migration fails', async () => {
    const dataDir = copyOf()
    const broken = [{ name: '9001_broken', sql: 'INSERT INTO nowhere VALUES (1)' }]
    for (let round = 0; round < 3; round++) {
      const ran = await asLaterVersion(() => within(dataDir, 'migrate'), broken)
      expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toMatch(/9001_broken failed and changed nothing/)
    }
    expect(copiesIn(dataDir)).toHaveLength(1)
    const { findings } = JSON.parse((await within(dataDir, 'doctor --json')).stdout)
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'copy', message: expect.stringContaining(copiesIn(dataDir)[0]!) }),
    )
    expect((await within(dataDir, 'merchant list')).exitCode).toBe(0)
  })
})

describe('a second server on the same data directory', () => {
  test('is refused, and the first one keeps running', async () => {
    const first = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: copyOf() })
    const ran = await florinIn(first.dataDir, { FLORIN_PORT: '0' }).run('serve')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toMatch(/server is already running on the data directory/)
    expect((await first.call('GET', '/readyz')).status).toBe(200)
    await first.stop('SIGKILL')
    const next = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: first.dataDir })
    expect((await next.stop()).exitCode).toBe(0)
  })
})

describe('without a database', () => {
  const id = '0190a5a0-0000-7000-8000-000000000000'
  const lines = [
    'merchant list',
    'migrate',
    'doctor',
    `key list --merchant ${id}`,
    `key create --merchant ${id} --mode live`,
    `wallet sources --merchant ${id}`,
    `notification list --merchant ${id}`,
    `unmatched list --merchant ${id}`,
    `webhook show --merchant ${id}`,
    'backup copy.sqlite',
  ]
  test.each(lines)('%s exits with 1 and creates nothing', async line => {
    const dataDir = join(newFolder(), 'data')
    const ran = await within(dataDir, line)
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout + ran.stderr).toMatch(/No database at /)
    expect(existsSync(dataDir)).toBe(false)
  })

  test.each([
    ['the lock file', () => {}],
    [
      'the write-ahead log',
      (dataDir: string) => {
        rmSync(join(dataDir, 'florin.lock'))
        writeFileSync(`${databaseFile(dataDir)}-wal`, 'pages')
      },
    ],
  ])('nothing starts if only %s of a database is left', async (_, harm) => {
    const dataDir = copyOf()
    rmSync(databaseFile(dataDir))
    harm(dataDir)
    const florin = florinIn(dataDir, { FLORIN_PORT: '0' })
    for (const line of ['serve', 'merchant list', 'merchant create --email b@shop.example --name B']) {
      const ran = await florin.run(...line.split(' '))
      expect({ line, ...summaryOf(ran) }).toEqual({ line, exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toMatch(/is missing, but .* restore a backup/)
    }
    expect(existsSync(databaseFile(dataDir))).toBe(false)
  })
})

describe('a migration', () => {
  test('is undone if nothing was written since, and the migrated database is kept', async () => {
    const dataDir = copyOf()
    const { copy } = await asLaterVersion(() => sqliteEngine(dataDir).migrate(Date.now()))
    const undone = await sqliteEngine(dataDir).undoMigration(Date.now())
    expect(undone).toEqual({ copy: copy!, replaced: expect.stringContaining('.replaced-') })
    expect([migrationsIn(dataDir), existsSync(undone!.replaced)]).toEqual([today, true])
    expect((await within(dataDir, 'merchant list')).stdout).toContain('shop@shop.example')
  })

  test('is not undone if there was no migration, or if anything was written since', async () => {
    const dataDir = copyOf()
    expect(await sqliteEngine(dataDir).undoMigration(Date.now())).toBeNull()
    await asLaterVersion(() => sqliteEngine(dataDir).migrate(Date.now()))
    const written = new Database(databaseFile(dataDir))
    written.run('UPDATE commits SET count = count + 1')
    written.close()
    expect(await sqliteEngine(dataDir).undoMigration(Date.now())).toBeNull()
    expect(migrationsIn(dataDir)).toContain(laterMigrations[0]!.name)
  })

  test('is not undone while a server runs', async () => {
    const dataDir = copyOf()
    await asLaterVersion(() => sqliteEngine(dataDir).migrate(Date.now()))
    const added = new Database(databaseFile(dataDir))
    added.run('DELETE FROM migrations WHERE name > ?', [today.at(-1)!])
    added.close()
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir })
    await expect(sqliteEngine(dataDir).undoMigration(Date.now())).rejects.toThrow(/is using the database/)
    expect((await server.stop()).exitCode).toBe(0)
  })
})

describe('dated copies', () => {
  test('are removed by the server after 30 days, except the newest of each kind', async () => {
    const dataDir = copyOf()
    const file = databaseFile(dataDir)
    const names = [
      ...['before-2026-01-01T000000.000Z', 'before-2026-01-02T000000.000Z'],
      ...['replaced-2026-01-01T000000.000Z', 'replaced-2026-01-02T000000.000Z'],
      'before-2026-03-01T000000.000Z',
    ]
    for (const name of names) writeFileSync(`${file}.${name}`, '')
    await openStorage(file, Date.parse('2026-03-10'), {}, { as: 'server', mode: 'live' }).close()
    const kept = readdirSync(dataDir).filter(name => /before|replaced/.test(name))
    expect(kept.sort()).toEqual([
      'florin.sqlite.before-2026-03-01T000000.000Z',
      'florin.sqlite.replaced-2026-01-02T000000.000Z',
    ])
  })
})
