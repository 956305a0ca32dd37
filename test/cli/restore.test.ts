import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { orderBody } from '../support/given.ts'
import { deriveAddress } from '../support/known-coins.ts'
import { asLaterVersion, laterMigrations } from '../support/later-migrations.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { EVM_WALLET, florinIn, snapshotOf, summaryOf } from './commands.ts'
import { expectRefusals, type Refused, runInProcess } from './in-process.ts'

const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

const shop = florinIn()
const backups = newFolder()
const whole = join(backups, 'whole')
const settings = { FLORIN_SANDBOX: 'true' }
let key: string
let orderIds: string[]

const serve = (dataDir: string) => startProcess(FLORIN, ['serve'], { ...settings, FLORIN_DATA_DIR: dataDir })

beforeAll(async () => {
  const { merchantId } = await shop.merchant('shop@shop.example')
  key = (await shop.json('key', 'create', '--merchant', merchantId, '--mode', 'live')).key
  const server = await serve(shop.dataDir)
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
  const made = Array.from({ length: 60 }, () =>
    server.call('POST', '/v1/orders', { key, body: orderBody({ description: 'x'.repeat(500) }) }),
  )
  orderIds = (await Promise.all(made)).map(({ json }) => json.data.orderUUID)
  await shop.json('backup', whole)
  await server.stop()
})
afterAll(endProcesses)

function overwrite(file: string, from: number, length: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, from)
  closeSync(handle)
}

function alter(file: string, ...statements: string[]): void {
  const database = new Database(file)
  for (const statement of statements) database.run(statement)
  // A new checksum of the backup would be wrong after this change.
  database.run('PRAGMA user_version = 0')
  database.close()
}

/** Damages a copy of the good backup. */
function damaged(name: string, damage: (file: string) => void): string {
  const file = join(backups, name)
  copyFileSync(whole, file)
  damage(file)
  return file
}

const damages: [why: string, damage: (file: string) => void, words: RegExp][] = [
  ['empty', file => truncateSync(file, 0), /is not a Florin database/],
  ['a letter', file => writeFileSync(file, 'Dear aunt, '.repeat(900)), /damaged or is not a SQLite/],
  ['truncated', file => truncateSync(file, Math.floor(statSync(file).size / 2)), /damaged/],
  ['truncated within a page', file => truncateSync(file, statSync(file).size - 1000), /damaged/],
  ['without its header', file => overwrite(file, 0, 100), /damaged/],
  ['overwritten', file => overwrite(file, Math.floor(statSync(file).size / 8192) * 4096, 8192), /damaged/],
  [
    'with an unreadable constraint',
    file => {
      alter(file)
      writeFileSync(file, readFileSync(file, 'latin1').replaceAll('json_valid(', 'json_vali$('), 'latin1')
    },
    /damaged \(unknown function: json_vali/,
  ],
  [
    'with missing references',
    file => alter(file, 'PRAGMA foreign_keys = OFF', 'DELETE FROM customers'),
    /damaged \(rows with missing references: \d+\)/,
  ],
  [
    'with another hash of a migration',
    file => {
      const database = new Database(file)
      const [row] = database.query<{ hash: string }, []>('SELECT hash FROM migrations').all()
      database.close()
      const bytes = readFileSync(file, 'latin1')
      writeFileSync(file, bytes.replace(row!.hash, 'f'.repeat(row!.hash.length)), 'latin1')
    },
    /has changed since florin backup wrote it/,
  ],
  [
    'newer',
    file => alter(file, "INSERT INTO migrations VALUES ('9999_future', 'x', 1, 0)"),
    /newer version of Florin/,
  ],
  ['foreign', file => writeFileSync(file, ''), /is not a Florin database/],
  [
    'of an unreleased version',
    file => alter(file, 'ALTER TABLE migrations DROP COLUMN hash'),
    /unreleased version/,
  ],
  [
    'of another program with migrations',
    file => {
      writeFileSync(file, '')
      alter(file, 'CREATE TABLE migrations (version INTEGER)')
    },
    /is not a Florin database/,
  ],
  ['in use', file => writeFileSync(`${file}-wal`, 'frames'), /copied while it was in use/],
]

describe('a restore is refused, and changes nothing, if', () => {
  test('its file is not a usable backup:', async () => {
    await expectRefusals(shop.dataDir, [
      ...damages.map(
        ([why, damage, words]): Refused => [why, ['restore', damaged(why, damage), '--force'], words],
      ),
      ['missing', ['restore', join(backups, 'none'), '--force'], /does not exist/],
      ['a folder', ['restore', backups, '--force'], /is not a file/],
      ['the database', ['restore', databaseFile(shop.dataDir), '--force'], /the database itself/],
      ['good, but --force is missing', ['restore', whole], /already exists.*--force/],
    ])
    const left = readdirSync(shop.dataDir).filter(name => /restoring|replaced/.test(name))
    expect(left).toEqual([])
  })

  test('the data directory is not a directory', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    mkdirSync(databaseFile(`${file}-2`), { recursive: true })
    for (const dataDir of [file, `${file}-2`]) {
      const ran = await runInProcess({ FLORIN_DATA_DIR: dataDir }, 'restore', whole)
      expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    }
  })

  test('a server or another program uses the database', async () => {
    const server = await serve(shop.dataDir)
    await shop.refuses([['it runs', ['restore', whole, '--force'], /A server .* Stop it first/]])
    await server.stop()
    const other = new Database(databaseFile(shop.dataDir))
    other.run('BEGIN IMMEDIATE')
    await shop.refuses([['it is used', ['restore', whole, '--force'], /Another program is using .* Stop it/]])
    other.close()
  })
})

describe('a restored database', () => {
  test('in a new directory is served, and its orders are read with the old key', async () => {
    const fresh = florinIn(join(newFolder(), 'data'))
    const printed = await fresh.json('restore', whole)
    const database = databaseFile(fresh.dataDir)
    const rest = { bytes: statSync(database).size, migration: expect.any(String), pendingMigrations: 0 }
    expect(printed).toEqual({
      ...{ file: whole, database, orders: 60, replaced: null, ...rest },
      skippedSources: 0,
    })
    expect([statSync(fresh.dataDir).mode & 0o777, statSync(database).mode & 0o777]).toEqual([0o700, 0o600])
    const server = await serve(fresh.dataDir)
    const read = await Promise.all(orderIds.map(id => server.call('GET', `/v1/orders/${id}`, { key })))
    expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]))
    await server.stop()
    expect(audit(database)).toEqual([])
  })

  test('replaces the database of a killed server, which is kept, and has no row of it', async () => {
    const { dataDir } = shop
    const server = await serve(dataDir)
    const late = await server.call('POST', '/v1/orders', { key, body: orderBody() })
    await server.stop('SIGKILL')
    expect(existsSync(`${databaseFile(dataDir)}-wal`)).toBe(true)
    const before = snapshotOf(dataDir)
    const { replaced } = await shop.json('restore', whole, '--force')
    const kept = newFolder()
    copyFileSync(replaced, databaseFile(kept))
    expect(snapshotOf(kept)).toBe(before)
    expect(
      readdirSync(dataDir).filter(name => /^florin.*(-wal|-shm|-journal|restoring)$/.test(name)),
    ).toEqual([])
    const again = await serve(dataDir)
    const path = `/v1/orders/${late.json.data.orderUUID}`
    expect((await again.call('GET', path, { key })).status).toBe(404)
    await again.stop()
    expect(audit(databaseFile(dataDir))).toEqual([])
  })

  test('replaces a damaged database, which is kept with its side files', async () => {
    const { dataDir, json, run } = florinIn()
    const file = databaseFile(dataDir)
    for (const end of ['', '-wal', '-journal']) writeFileSync(`${file}${end}`, `rubble ${end}`.repeat(2000))
    const { stdout } = await run('restore', whole, '--force')
    const kept = /kept as (.*)\n/.exec(stdout)?.[1] ?? ''
    const texts = ['', '-wal', '-journal'].map(end => readFileSync(`${kept}${end}`, 'utf8').slice(0, 10))
    expect(texts).toEqual(['rubble rub', 'rubble -wa', 'rubble -jo'])
    expect(audit(file)).toEqual([])
    expect((await json('merchant', 'list')).items).toHaveLength(1)
  })

  test('never gives an address to a second buyer, even after another restore of the same file', async () => {
    const florin = florinIn()
    const { dataDir, json, run } = florin
    const { merchantId } = await florin.merchant('xpub@shop.example')
    const keyFile = join(newFolder(), 'key')
    writeFileSync(keyFile, ZPUB)
    const own = ['--merchant', merchantId]
    await json('wallet', 'xpub', ...own, '--network', 'btc', '--yes', '--key-file', keyFile)
    const nextIndex = async () => {
      const [btc] = (await json('wallet', 'sources', ...own)).items
      return btc.setUp[0].nextIndex
    }
    alter(databaseFile(dataDir), 'UPDATE address_sources SET next_index = 5')
    const file = join(backups, 'with an account')
    await json('backup', file)
    alter(databaseFile(dataDir), 'UPDATE address_sources SET next_index = 40')
    const { stdout } = await run('restore', file, '--force')
    expect(stdout).toContain('skip 1,000 addresses')
    expect(stdout).toContain('For 30 days, the server looks for payments to the skipped addresses')
    expect(await nextIndex()).toBe(1040)
    expect(await json('restore', file, '--force')).toMatchObject({ skippedSources: 1 })
    expect(await nextIndex()).toBe(2040)
    const elsewhere = florinIn()
    await elsewhere.json('restore', file)
    const [btc] = (await elsewhere.json('wallet', 'sources', ...own)).items
    expect(btc.setUp[0].nextIndex).toBe(1005)
    const taken = await elsewhere.run('restore', file, '--moved', '--force')
    expect([taken.exitCode, taken.stderr]).toEqual([
      1,
      expect.stringContaining('--moved is for a machine without'),
    ])
    const moved = florinIn()
    const restored = await moved.run('restore', file, '--moved')
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.not.stringContaining('skip')])
    const [same] = (await moved.json('wallet', 'sources', ...own)).items
    expect(same.setUp[0].nextIndex).toBe(5)
    expect(audit(databaseFile(dataDir))).toEqual([])
  })

  test('lists the addresses that it skipped, and the doctor names them for a month', async () => {
    const florin = florinIn()
    const { dataDir, json, run } = florin
    const { merchantId } = await florin.merchant('skipped@shop.example')
    const keyFile = join(newFolder(), 'key')
    writeFileSync(keyFile, ZPUB)
    const own = ['--merchant', merchantId]
    await json('wallet', 'xpub', ...own, '--network', 'btc', '--yes', '--key-file', keyFile)
    expect(await json('wallet', 'skipped', ...own)).toEqual({ items: [] })
    alter(
      databaseFile(dataDir),
      'UPDATE address_sources SET next_index = 2',
      `INSERT INTO source_addresses SELECT 'btc', 'given ' || value, s.id, merchant_id, value, 'attempt ' || value, 1
       FROM address_sources s, json_each('[0,1]')`,
    )
    const file = join(backups, 'before they were given')
    await json('backup', file)
    const { stdout } = await run('restore', file, '--force')
    expect(stdout).toContain('florin wallet skipped')
    const { items } = await json('wallet', 'skipped', ...own)
    expect(items).toHaveLength(1000)
    expect(items[0]).toEqual({ network: 'btc', index: 2, address: deriveAddress('btc', ZPUB, 'p2wpkh', 2) })
    expect(items.at(-1).index).toBe(1001)
    const looked = await run('wallet', 'skipped', ...own, '--look')
    expect(looked.stdout).toContain(
      'No endpoint reports what arrived at addresses of btc. Look in your wallet.',
    )

    const named = async (): Promise<string[]> => {
      const { stdout } = await run('doctor', '--json')
      const { findings } = JSON.parse(stdout) as { findings: { message: string }[] }
      return findings.map(({ message }) => message).filter(message => message.startsWith('A restore skipped'))
    }
    expect(await named()).toEqual([expect.stringContaining('A restore skipped 1000 addresses of btc at ')])
    alter(databaseFile(dataDir), 'UPDATE address_sources SET skipped_at = skipped_at - 31 * 86400000')
    expect(await named()).toEqual([])
  })

  test('does not allocate addresses of a pool that the replaced database had allocated', async () => {
    const florin = florinIn()
    const { dataDir, json } = florin
    const { merchantId } = await florin.merchant('pool@shop.example')
    const own = ['--merchant', merchantId]
    const list = join(newFolder(), 'pool')
    writeFileSync(list, [0, 1].map(index => deriveAddress('btc', ZPUB, 'p2wpkh', index)).join('\n'))
    await json('wallet', 'pool', ...own, '--network', 'btc', list)
    const file = join(backups, 'with a pool')
    await json('backup', file)
    alter(
      databaseFile(dataDir),
      "UPDATE source_addresses SET attempt_id = 'lost', allocated_at = 1 WHERE position = 0",
    )
    await json('restore', file, '--force')
    const [btc] = (await json('wallet', 'sources', ...own)).items
    expect(btc.setUp[0]).toMatchObject({ kind: 'pool', given: 1, free: 1 })
  })

  test('of an older version can be migrated', async () => {
    const dataDir = newFolder()
    const json = async (...args: string[]) =>
      JSON.parse((await runInProcess({ FLORIN_DATA_DIR: dataDir }, ...args, '--json')).stdout)
    await asLaterVersion(async () => {
      expect(await json('restore', whole)).toMatchObject({
        pendingMigrations: laterMigrations.length,
        orders: 60,
      })
      await json('migrate')
      const migration = laterMigrations.at(-1)?.name
      expect(await json('backup', join(dataDir, 'new'))).toMatchObject({ migration, orders: 60 })
    })
  })

  test('is the old or the new one, and undamaged, if the restore is killed at any time', async () => {
    const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
      INSERT INTO merchants (id, email, email_key, name, fee_percent, status, created_at, updated_at)
      SELECT 'm' || i, i, i, hex(randomblob(500000)), '1', 'active', 1, 1 FROM n`
    const large = damaged('large', file => alter(file, fill))
    const { dataDir, json, run } = florinIn()
    await json('restore', whole)
    const merchants = async () => {
      const database = new Database(databaseFile(dataDir), { readonly: true })
      const rows = database.query('SELECT COUNT(*) FROM merchants').values()
      database.close()
      return Number(rows[0]?.[0])
    }
    const since = performance.now()
    await run('restore', large, '--force')
    const wholeMs = performance.now() - since
    const seen = new Set<number>()
    for (let turn = 0; turn < 6; turn++) {
      const [file, other] = turn % 2 === 0 ? [whole, 25] : [large, 1]
      const child = Bun.spawn([...FLORIN, 'restore', file, '--force'], {
        env: { ...process.env, FLORIN_DATA_DIR: dataDir },
        stdout: 'ignore',
        stderr: 'ignore',
      })
      const before = await merchants()
      await Bun.sleep(wholeMs * (0.5 + Math.random() / 2))
      child.kill('SIGKILL')
      await child.exited
      expect([before, 26 - other]).toContain(await merchants())
      expect(audit(databaseFile(dataDir))).toEqual([])
      seen.add(await merchants())
    }
    await json('restore', whole, '--force')
    expect(await merchants()).toBe(1)
    expect(readdirSync(dataDir).filter(name => /restoring/.test(name))).toEqual([])
  })
})
