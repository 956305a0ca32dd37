import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupServices, startBackups } from '../../src/boot/backups.ts'
import { isBackupDue } from '../../src/domain/backup.ts'
import type { Log } from '../../src/domain/log.ts'
import { writeNotification } from '../../src/present/notification.ts'
import { readSettings } from '../../src/settings/read.ts'
import { databaseOf } from '../../src/storage/index.ts'
import { backUpInto } from '../../src/storage/sqlite/backup-folder.ts'
import { fileTimestamp } from '../../src/storage/sqlite/files.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'
import { said } from '../support/notifications.ts'
import { newFolder } from '../support/process.ts'
import { florinHere, runInProcess } from './in-process.ts'

const GB = 1024 ** 3
const DAY_MS = 24 * 3600_000
const folder = join(newFolder(), 'backups')
const florin = florinHere(undefined, { FLORIN_BACKUP_DIR: folder })
const file = databaseFile(florin.dataDir)
const environment = { FLORIN_DATA_DIR: florin.dataDir, FLORIN_BACKUP_DIR: folder }
const settings = readSettings(environment)
const database = databaseOf(settings)
const copies = (): string[] => readdirSync(folder).sort()

beforeAll(() => florin.merchant('shop@shop.example'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const facts = () => {
  const services = backupServices(settings, database, async () => Date.now(), Date.now)
  return Promise.all(services.map(({ check }) => check()))
}
const problems = async () => (await facts()).map(one => one && said({ facts: one }))

/** The problems as a person reads them in German, without quotes. */
const inGerman = async () =>
  (await facts()).map(
    one => one && writeNotification(dashboardLocale('de', 'UTC'), one, 'person').text.replace(/„.*“/, '„“'),
  )

const finding = async () => {
  const { stdout } = await runInProcess(environment, 'doctor', '--json')
  return JSON.parse(stdout).findings.find((one: { check: string }) => one.check === 'backup')
}

test('a server makes the first backup in a process of its own, and tests it', async () => {
  const lines: unknown[] = []
  const note = (fields: object, event: string) => lines.push({ ...fields, event })
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const storage = await database.open(Date.now(), { as: 'server', mode: 'live' })
  const job = startBackups({ settings, database, storage, now: Date.now, log, lookMs: 10 })!
  while (lines.length === 0) await Bun.sleep(10)
  await job.stop()
  await storage.close()
  expect(lines).toEqual([{ event: 'backup.made', ms: expect.any(Number) }])
  expect(copies()).toEqual([expect.stringMatching(/^florin-20.*Z\.sqlite$/)])
  expect(statSync(join(folder, copies()[0]!)).mode & 0o777).toBe(0o600)
  expect(database.readBackups(folder, Date.now())).toMatchObject({ problem: null, trialProblem: null })
  expect(database.readBackups(folder, Date.now()).trialAt).toBeGreaterThan(0)
  expect(await problems()).toEqual([null, null])
  expect(await finding()).toMatchObject({ ok: true, message: expect.stringContaining('restored in a test') })
})

test('florin backup without a file makes another one, and --trial restores it', async () => {
  const { file: made, kept, isTried } = await florin.json('backup')
  expect({ kept, isTried, exists: existsSync(made) }).toEqual({ kept: 1, isTried: false, exists: true })
  expect(await florin.json('backup', '--trial')).toMatchObject({ kept: 1, isTried: true, trialProblem: null })
})

/**
 * Changes the newest backup, and with `isNoted` also its hash in florin.backups. Then tests the backup by a
 * trial restore.
 */
function tryChanged(ageMs: number, change: (made: string) => void, isNoted: boolean): string | null {
  const made = backUpInto(file, folder, Date.now() + ageMs).file
  change(made)
  const noteFile = join(florin.dataDir, 'florin.backups')
  const note = JSON.parse(readFileSync(noteFile, 'utf8'))
  const copy = note.copies[made.slice(folder.length + 1)]
  if (isNoted) copy.sha256 = createHash('sha256').update(readFileSync(made)).digest('hex')
  writeFileSync(noteFile, JSON.stringify(note))
  // This backup is older, so that the changed one is the newest, which the trial restores.
  const { trialProblem } = backUpInto(file, folder, Date.now(), { trial: true })
  rmSync(made)
  return trialProblem
}

function flipBit(made: string): void {
  const bytes = readFileSync(made)
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, bytes.length - 100)
  writeFileSync(made, bytes)
}

function removeRow(made: string): void {
  const copy = new Database(made)
  copy.run('DELETE FROM commits')
  // A new checksum of the backup would be wrong after this change.
  copy.run('PRAGMA user_version = 0')
  copy.close()
}

test('a trial finds a copy that was changed, and a copy that lacks rows', () => {
  expect(tryChanged(60_000, flipBit, false)).toContain('has changed since it was made')
  expect(tryChanged(70_000, removeRow, true)).toMatch(/had 1 rows in commits, and has 0 restored/)
  expect(readdirSync(folder).filter(name => name.includes('trial'))).toEqual([])
})

test('a merchant is notified of a trial that failed, and doctor reports an error', async () => {
  const [, before] = await problems()
  expect(before).toMatch(/^A test could not restore a backup: /)
  expect((await inGerman())[1]).toMatch(/wiederherstellen[.] Es fehlen Zeilen[.] /)
  expect(await finding()).toMatchObject({ ok: false, severity: 'fault' })
  backUpInto(file, folder, Date.now() + 120_000)
  expect(await problems()).toEqual([null, null])
})

test('a backup made while the clock was ahead neither stops the next ones nor counts as the newest', () => {
  const now = Date.now() + 200_000
  const ahead = backUpInto(file, folder, now + 400 * DAY_MS).file
  expect(isBackupDue(database.readBackups(folder, now + DAY_MS), 'UTC', now + DAY_MS)).toBe(true)
  const { file: made, isTried } = backUpInto(file, folder, now + DAY_MS)
  expect([made, isTried]).toEqual([join(folder, `florin-${fileTimestamp(now + DAY_MS)}.sqlite`), true])
  const { madeAt } = database.readBackups(folder, now + 4 * DAY_MS)
  expect([madeAt, existsSync(ahead)]).toEqual([now + DAY_MS, true])
  for (const one of [made, ahead]) rmSync(one)
})

test('a disk without enough space stays as it is, and the merchants are notified', async () => {
  const before = copies()
  const now = Date.now() + 240_000
  expect(() => backUpInto(file, folder, now, { freeBytes: () => GB / 8 })).toThrow(/128 MB free.*needed/)
  expect(copies()).toEqual(before)
  const [problem] = await problems()
  expect(problem).toMatch(/^The last backup could not be made: The disk of .* Free some space/)
  expect((await inGerman())[0]).toMatch(
    /^Die letzte Sicherung ist fehlgeschlagen[.] Die Festplatte ist zu voll[.]/,
  )
  expect(await finding()).toMatchObject({ ok: false, severity: 'warning' })
  backUpInto(file, folder, now)
  expect(await problems()).toEqual([null, null])
})

test('a folder that cannot be written to is refused with a message', async () => {
  const taken = join(newFolder(), 'taken')
  writeFileSync(taken, '')
  const ran = await runInProcess({ ...environment, FLORIN_BACKUP_DIR: taken }, 'backup')
  expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ran.stderr).toMatch(/Cannot write to .*Create the folder/)
  expect((await inGerman())[0]).toMatch(/fehlgeschlagen[.] In den Ordner lässt sich nicht schreiben[.]/)
  const none = await runInProcess({ FLORIN_DATA_DIR: florin.dataDir }, 'backup')
  expect(none.stderr).toContain('set FLORIN_BACKUP_DIR')
})
