import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { EVM_WALLET, florinIn, summaryOf } from './commands.ts'
import { florinHere, runInProcess } from './in-process.ts'

afterAll(endProcesses)

const sandbox = { FLORIN_SANDBOX: 'true', FLORIN_PORT: '0' }

/** A data directory whose server was killed after it had acknowledged orders. */
async function killedServer() {
  const dataDir = newFolder()
  // Uses other processes only: a connection of this one could close later, and write the WAL into the file.
  const florin = florinIn(dataDir, sandbox)
  const { merchantId } = await florin.merchant('shop@shop.example')
  const { key } = await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const server = await startProcess(FLORIN, ['serve'], { ...sandbox, FLORIN_DATA_DIR: dataDir })
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
  let orderUUID = ''
  for (let i = 0; i < 20; i++) {
    const created = await server.call('POST', '/v1/orders', { key, body: orderBody() })
    expect(created.status).toBe(201)
    orderUUID = created.json.data.orderUUID
  }
  await server.stop('SIGKILL')
  return { dataDir, merchantId, orderUUID }
}

const killed = killedServer()

async function copyOf() {
  const given = await killed
  const dataDir = newFolder()
  cpSync(given.dataDir, dataDir, { recursive: true })
  return { ...given, dataDir, file: databaseFile(dataDir), florin: florinHere(dataDir, sandbox) }
}

const harms: [what: string, harm: (wal: string) => void][] = [
  ['deleted', wal => rmSync(wal)],
  ['emptied', wal => truncateSync(wal, 0)],
  ['cut in half', wal => truncateSync(wal, Math.floor(statSync(wal).size / 2))],
  ['cut by its last page', wal => truncateSync(wal, statSync(wal).size - 1)],
]

describe('a database whose WAL was', () => {
  test.each(harms)('%s is refused by every command, which names what is missing', async (_, harm) => {
    const { file, florin, merchantId } = await copyOf()
    harm(`${file}-wal`)
    const lines = [
      'serve',
      'merchant list',
      `merchant set ${merchantId} --name Other`,
      'merchant create --email b@shop.example --name B',
    ]
    for (const line of lines) {
      const ran = await florin.run(...line.split(' '))
      expect({ line, ...summaryOf(ran) }).toEqual({ line, exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toMatch(
        /is older than its last write[.] Missing writes: \d+, the last at 2.*florin restore/s,
      )
    }
    const doctor = await florin.run('doctor')
    expect(doctor.exitCode).toBe(1)
    expect(doctor.stdout).toMatch(/ERROR {2}database: .*is older than its last write[.] Missing writes: \d+/)
    expect(doctor.stdout.match(/restore the newest backup/g)).toHaveLength(1)
    expect(doctor.stdout).not.toContain('Check FLORIN_DATA_DIR')
  })

  test('deleted is backed up only with --anyway, and never over a backup that has more orders', async () => {
    const { file, florin, dataDir } = await copyOf()
    const folder = newFolder()
    const [older, rest] = [join(folder, 'sat.sqlite'), join(folder, 'rest.sqlite')]
    const settings = { ...sandbox, FLORIN_DATA_DIR: dataDir, FLORIN_BACKUP_DIR: join(folder, 'nightly') }
    expect((await florin.run('backup', older)).exitCode).toBe(0)
    const [bytes, stamp] = [readFileSync(older), statSync(join(dataDir, 'florin.backup')).mtimeMs]
    // Puts back the database file as the kill left it: no process has opened that one.
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    const { dataDir: before } = await killed
    cpSync(databaseFile(before), file)
    const refused = /is older than its last write[.] Missing writes: \d+, .*run florin backup FILE --anyway/
    for (const ran of [
      await florin.run('backup', rest),
      await florin.run('backup', older, '--force'),
      await runInProcess(settings, 'backup'),
    ]) {
      expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toMatch(refused)
    }
    const over = await florin.run('backup', older, '--force', '--anyway')
    expect([over.exitCode, over.stderr]).toEqual([
      1,
      expect.stringMatching(/older backup that has more .*: \d+ more/),
    ])
    expect(readFileSync(older).equals(bytes)).toBe(true)
    const kept = await florin.run('backup', rest, '--anyway')
    expect([kept.exitCode, kept.stdout]).toEqual([
      0,
      expect.stringMatching(/Missing writes: \d+.*what is left/s),
    ])
    expect(statSync(join(dataDir, 'florin.backup')).mtimeMs).toBe(stamp)
    expect(readdirSync(folder).sort()).toEqual(['nightly', 'rest.sqlite', 'sat.sqlite'])
    expect(readdirSync(join(folder, 'nightly'))).toEqual([])
    // The new copy is as complete as the existing one, so it may replace it.
    expect((await florin.run('backup', rest, '--force', '--anyway')).exitCode).toBe(0)
  })

  test('deleted can be used again, and skips the addresses that were allocated', async () => {
    const { file, florin, orderUUID } = await copyOf()
    rmSync(`${file}-wal`)
    const rest = join(newFolder(), 'rest.sqlite')
    expect((await florin.run('backup', rest, '--anyway')).exitCode).toBe(0)
    const restored = await florin.run('restore', rest, '--force')
    expect([restored.exitCode, restored.stderr]).toEqual([0, ''])
    expect((await florin.run('merchant', 'list')).exitCode).toBe(0)
    expect((await florin.run('order', 'show', orderUUID)).exitCode).toBe(1)
    const server = await startProcess(FLORIN, ['serve'], { ...sandbox, FLORIN_DATA_DIR: florin.dataDir })
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    await server.stop()
  })
})

describe('a backup that was copied into place by hand', () => {
  async function copiedByHand() {
    const given = await copyOf()
    const backup = join(newFolder(), 'backup.sqlite')
    expect((await given.florin.run('backup', backup)).exitCode).toBe(0)
    await given.florin.merchant('later@shop.example')
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${given.file}${suffix}`, { force: true })
    cpSync(backup, given.file)
    return { ...given, backup }
  }

  test('is refused, until it is restored', async () => {
    const { florin, backup, orderUUID } = await copiedByHand()
    const refused = await florin.run('merchant', 'list')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('Missing writes: 1, ')
    expect(refused.stderr).toContain('an old copy or another database was put in its place')
    expect((await florin.run('restore', backup, '--force')).exitCode).toBe(0)
    expect((await florin.json('order', 'show', orderUUID)).order.orderUUID).toBe(orderUUID)
  })

  test('is accepted if there is no note beside it, as in a new directory', async () => {
    const { florin, dataDir, orderUUID } = await copiedByHand()
    rmSync(join(dataDir, 'florin.commits'))
    expect((await florin.json('order', 'show', orderUUID)).order.orderUUID).toBe(orderUUID)
  })
})

describe('a database is not mistaken for an old one', () => {
  test('after a kill', async () => {
    const { florin, orderUUID } = await copyOf()
    expect((await florin.json('order', 'show', orderUUID)).order.orderUUID).toBe(orderUUID)
    const server = await startProcess(FLORIN, ['serve'], { ...sandbox, FLORIN_DATA_DIR: florin.dataDir })
    await server.stop()
    expect((await florin.run('merchant', 'list')).exitCode).toBe(0)
  })

  test('after another program has written the WAL into it', async () => {
    const { file, florin, orderUUID } = await copyOf()
    const { Database } = await import('bun:sqlite')
    const other = new Database(file)
    other.run('PRAGMA wal_checkpoint(TRUNCATE)')
    other.close()
    rmSync(`${file}-wal`, { force: true })
    rmSync(`${file}-shm`, { force: true })
    expect((await florin.json('order', 'show', orderUUID)).order.orderUUID).toBe(orderUUID)
  })

  test('if the note of its last write is missing or unreadable', async () => {
    const { file, florin, dataDir } = await copyOf()
    rmSync(`${file}-wal`)
    const note = join(dataDir, 'florin.commits')
    expect(existsSync(note)).toBe(true)
    truncateSync(note, 0)
    expect((await florin.run('merchant', 'list')).exitCode).toBe(0)
    rmSync(note)
    expect((await florin.run('merchant', 'list')).exitCode).toBe(0)
  })

  test('if it is new, in the directory of a database that was removed', async () => {
    const { file, florin, dataDir } = await copyOf()
    for (const path of [file, `${file}-wal`, `${file}-shm`, join(dataDir, 'florin.lock')]) {
      rmSync(path, { force: true })
    }
    expect(await florin.merchant('new@shop.example')).toHaveProperty('merchantId')
    expect((await florin.run('merchant', 'list')).exitCode).toBe(0)
  })
})
