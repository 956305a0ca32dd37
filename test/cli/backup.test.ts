import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { orderBody } from '../support/given.ts'
import {
  endProcesses,
  FLORIN,
  newFolder,
  type RunningProcess,
  runCli,
  startProcess,
} from '../support/process.ts'
import { EVM_WALLET, florinIn, summaryOf } from './commands.ts'
import { expectRefusals, runInProcess } from './in-process.ts'

const florin = florinIn()
const folder = newFolder()
const copies = newFolder()
let server: RunningProcess
let key: string

const at = (name: string): string => join(copies, name)

beforeAll(async () => {
  const { merchantId } = await florin.merchant('shop@shop.example')
  key = (await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')).key
  server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: florin.dataDir, FLORIN_SANDBOX: 'true' })
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
})
afterAll(endProcesses)

const ordersIn = (file: string): Set<string> => {
  const database = new Database(file, { readonly: true })
  const ids = database.query<{ id: string }, []>('SELECT id FROM orders').all()
  database.close()
  return new Set(ids.map(({ id }) => id))
}

const newOrder = async (): Promise<string> =>
  (await server.call('POST', '/v1/orders', { key, body: orderBody() })).json.data.orderUUID

/** A database with a row whose reference leads nowhere. */
async function givenTorn(): Promise<string> {
  const dataDir = newFolder()
  await openStorage(databaseFile(dataDir), 1).close()
  const database = new Database(databaseFile(dataDir))
  database.run('PRAGMA foreign_keys = OFF')
  database.run("INSERT INTO customers VALUES ('c', 'nobody', 'a@b.example', 'a@b.example', NULL, 1)")
  database.close()
  return dataDir
}

describe('a backup is refused, and changes nothing, if', () => {
  test('the file is not suitable', async () => {
    const there = join(folder, 'there')
    writeFileSync(there, 'a letter')
    mkdirSync(join(folder, 'folder'))
    const [database, wal] = ['', '-wal'].map(end => `${databaseFile(florin.dataDir)}${end}`)
    await expectRefusals(florin.dataDir, [
      ['it exists', ['backup', there], /already exists.*--force/],
      ['its directory does not exist', ['backup', join(folder, 'none', 'file')], /does not exist/],
      ['it is a directory', ['backup', join(folder, 'folder')], /is a directory/],
      ['it is not a regular file', ['backup', '/dev/null', '--force'], /not a regular file/],
      ['it is the database', ['backup', database!, '--force'], /used by Florin/],
      ['it is the WAL of the database', ['backup', wal!, '--force'], /used by Florin/],
    ])
    expect(readdirSync(folder).sort()).toEqual(['folder', 'there'])
    expect(statSync(there).size).toBe(8)
  })

  test('--anyway cannot read the remaining data either', async () => {
    const damaged = newFolder()
    writeFileSync(databaseFile(damaged), 'hello '.repeat(2000))
    const ran = await runInProcess({ FLORIN_DATA_DIR: damaged }, 'backup', at('refused'), '--anyway')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toMatch(/not a database.*florin restore.*copy the whole directory/)
    expect(readdirSync(copies)).toEqual([])
  })

  test('the database is missing, foreign or damaged', async () => {
    const none = newFolder()
    const foreign = newFolder()
    const damaged = newFolder()
    new Database(databaseFile(foreign)).run('CREATE TABLE recipes (name TEXT)')
    writeFileSync(databaseFile(damaged), 'hello '.repeat(2000))
    const torn = await givenTorn()
    const rows: [dataDir: string, words: RegExp][] = [
      [torn, /copy of .* is damaged \(rows with missing references: 1\).*--anyway/],
      [join(none, 'data'), /No database at .*FLORIN_DATA_DIR/],
      [foreign, /another program/],
      [damaged, /cannot be read \(.*not a database/],
    ]
    for (const [dataDir, words] of rows) {
      const ran = await runInProcess({ FLORIN_DATA_DIR: dataDir }, 'backup', at('refused'))
      expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toMatch(words)
    }
    expect([readdirSync(none), readdirSync(copies)]).toEqual([[], []])
  })

  const isRoot = process.getuid?.() === 0
  const asNobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  test.skipIf(isRoot && Bun.which('setpriv') === null)('the directory is not writable', async () => {
    const dataDir = newFolder()
    const shut = newFolder()
    await florinIn(dataDir).merchant('shop@shop.example')
    if (isRoot) await runCli(['-R', '65534:65534', dataDir], {}, ['chown'])
    chmodSync(shut, 0o555)
    const ran = await runCli(
      ['backup', join(shut, 'copy')],
      { FLORIN_DATA_DIR: dataDir, HOME: '/nowhere' },
      [...asNobody, ...FLORIN],
      '/',
    )
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toMatch(/Cannot write the backup .*this user can write to/)
    expect(readdirSync(shut)).toEqual([])
  })
})

describe('a backup', () => {
  test('under load contains every order that was confirmed before it, and breaks no invariant', async () => {
    const confirmed: string[] = []
    let isOver = false
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) confirmed.push(await newOrder())
    })
    while (confirmed.length < 50) await Bun.sleep(5)
    const before = [...confirmed]
    const printed = await florin.json('backup', at('loaded'))
    isOver = true
    await Promise.all(clients)
    const copied = ordersIn(at('loaded'))
    expect(before.filter(id => !copied.has(id))).toEqual([])
    expect(confirmed.length).toBeGreaterThan(before.length)
    expect(audit(at('loaded'))).toEqual([])
    expect(printed).toEqual({
      file: at('loaded'),
      bytes: statSync(at('loaded')).size,
      orders: copied.size,
      damage: null,
      loss: null,
      migration: expect.stringMatching(/^\d{4}_/),
      takenAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  test('is a single file that only its owner can read', async () => {
    await florin.json('backup', at('alone'))
    expect(readdirSync(copies).filter(name => name.startsWith('alone'))).toEqual(['alone'])
    if (process.platform !== 'win32') expect(statSync(at('alone')).mode & 0o777).toBe(0o600)
  })

  test('of a damaged database needs --anyway, names the damage, and does not count as a backup', async () => {
    const torn = await givenTorn()
    const ran = await runInProcess({ FLORIN_DATA_DIR: torn }, 'backup', at('torn'), '--anyway')
    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toMatch(
      /^Backed up 0 orders to .*\nThe copy is damaged \(rows with missing references: 1\)/,
    )
    const again = await runInProcess(
      { FLORIN_DATA_DIR: torn },
      'backup',
      at('torn'),
      '--anyway',
      '--force',
      '--json',
    )
    expect(JSON.parse(again.stdout)).toMatchObject({ orders: 0, damage: 'rows with missing references: 1' })
    expect(existsSync(join(torn, 'florin.backup'))).toBe(false)
    const copied = new Database(at('torn'), { readonly: true })
    expect(copied.query('SELECT id FROM customers').all()).toEqual([{ id: 'c' }])
    copied.close()
    const back = await runInProcess({ FLORIN_DATA_DIR: newFolder() }, 'restore', at('torn'))
    expect(back.exitCode).toBe(1)
    expect(back.stderr).toMatch(/is damaged/)
  })

  test('of an intact database mentions no damage with --anyway', async () => {
    const result = await florin.json('backup', at('whole'), '--anyway')
    expect(result.damage).toBe(null)
  })

  test('replaces another file with --force, and prints that', async () => {
    writeFileSync(at('old'), 'an older one', { mode: 0o644 })
    writeFileSync(`${at('old')}.partial`, 'left by one that was killed')
    const id = await newOrder()
    const { exitCode, stdout, stderr } = await florin.run('backup', at('old'), '--force')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^Backed up \d+ orders to .*old \(\d+ bytes\)\n$/)
    expect(ordersIn(at('old')).has(id)).toBe(true)
    expect(existsSync(`${at('old')}.partial`)).toBe(false)
    expect(statSync(at('old')).mode & 0o777).toBe(0o600)
  })

  test('that is killed at any time leaves a complete file or a .partial file', async () => {
    const since = performance.now()
    await florin.json('backup', at('timed'))
    const wholeMs = performance.now() - since
    const folder = newFolder()
    const file = join(folder, 'killed')
    for (const share of [0.7, 0.85, 0.95, 1]) {
      rmSync(file, { force: true })
      const child = Bun.spawn([...FLORIN, 'backup', file], {
        env: { ...process.env, FLORIN_DATA_DIR: florin.dataDir },
        stdout: 'ignore',
        stderr: 'ignore',
      })
      await Bun.sleep(wholeMs * share)
      child.kill('SIGKILL')
      await child.exited
      if (existsSync(file)) expect(audit(file)).toEqual([])
      expect(readdirSync(folder).filter(name => !/^killed(\.partial(-journal)?)?$/.test(name))).toEqual([])
    }
    await florin.json('backup', file, '--force')
    expect(readdirSync(folder)).toEqual(['killed'])
  })
})
