import { expect, test } from 'bun:test'
import {
  type BackupRecord,
  backupProblem,
  expiredBackups,
  isBackupDue,
  isTrialDue,
} from '../../../src/domain/backup.ts'
import { words } from '../../support/words.ts'

const at = (text: string): number => Date.parse(text)
const DAY_MS = 24 * 3600_000

const record = (change: Partial<BackupRecord> = {}): BackupRecord => ({
  madeAt: null,
  triedAt: null,
  problem: null,
  fault: null,
  trialAt: null,
  trialProblem: null,
  trialFault: null,
  ...change,
})

test('a year of nightly backups leaves 7 days, 4 weeks and 6 months', () => {
  let kept: number[] = []
  for (let day = 0; day < 365; day++) {
    const all = [...kept, at('2025-11-22T03:30:00Z') + day * DAY_MS]
    const expired = new Set(expiredBackups(all))
    kept = all.filter(one => !expired.has(one))
  }
  const days = kept.map(one => new Date(one).toISOString().slice(0, 10))
  expect(days).toEqual(
    words(`
    2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31 2026-11-01 2026-11-08 2026-11-15 2026-11-16
    2026-11-17 2026-11-18 2026-11-19 2026-11-20 2026-11-21
  `),
  )
})

test('old backups stay after a pause', () => {
  const old = [1, 2, 3, 4, 5, 6].map(day => at(`2026-01-0${day}T03:30:00Z`))
  expect(expiredBackups([...old, at('2026-11-22T03:30:00Z')])).toEqual([])
  expect(expiredBackups([])).toEqual([])
})

test('of several backups of a day, the newest stays', () => {
  const [morning, noon, night] = ['03:30', '12:00', '23:59'].map(time => at(`2026-01-01T${time}:00Z`)) as [
    number,
    number,
    number,
  ]
  expect(expiredBackups([morning, night, noon])).toEqual([noon, morning])
})

test('a trial restore is due if there was none, if the last one failed, and after a week', () => {
  const now = at('2026-11-22T10:00:00Z')
  const due = (change: Partial<BackupRecord>) => isTrialDue(record(change), now)
  expect(due({})).toBe(true)
  expect(due({ trialAt: now - DAY_MS })).toBe(false)
  expect(due({ trialAt: now - DAY_MS, trialProblem: 'it was damaged.' })).toBe(true)
  expect(due({ trialAt: now - 6 * DAY_MS })).toBe(false)
  expect(due({ trialAt: now - 7 * DAY_MS })).toBe(true)
  // The clock was ahead during the last trial.
  expect(due({ trialAt: now + DAY_MS })).toBe(true)
})

test('a backup is due once after half past three at night in the time zone of the shop', () => {
  const made = record({ madeAt: at('2026-11-21T02:30:10Z') })
  const due = (now: string, one = made) => isBackupDue(one, 'Europe/Berlin', at(now))
  expect(due('2026-11-21T23:00:00Z')).toBe(false)
  expect(due('2026-11-22T02:29:00Z')).toBe(false)
  expect(due('2026-11-22T02:31:00Z')).toBe(true)
  expect(due('2026-11-22T14:00:00Z')).toBe(true)
  expect(due('2026-11-22T14:00:00Z', record({ madeAt: at('2026-11-22T02:31:00Z') }))).toBe(false)
  expect(due('2026-11-21T12:00:00Z', record())).toBe(true)
  expect(isBackupDue(made, 'Pacific/Auckland', at('2026-11-21T14:29:00Z'))).toBe(false)
  expect(isBackupDue(made, 'Pacific/Auckland', at('2026-11-21T14:31:00Z'))).toBe(true)
})

test('a backup that failed is tried again after an hour', () => {
  const failed = record({ triedAt: at('2026-11-22T10:00:00Z'), problem: 'it was full.' })
  expect(isBackupDue(failed, 'UTC', at('2026-11-22T10:59:00Z'))).toBe(false)
  expect(isBackupDue(failed, 'UTC', at('2026-11-22T11:00:00Z'))).toBe(true)
  // The clock was set back since the last backup.
  expect(isBackupDue(failed, 'UTC', at('2026-11-21T11:00:00Z'))).toBe(true)
})

test('a failed backup is a problem, and so are two days without a backup', () => {
  const now = at('2026-11-22T10:00:00Z')
  expect(backupProblem(record({ problem: 'it was full.' }), 0, now)).toContain('made: it was full.')
  expect(backupProblem(record(), now - DAY_MS, now)).toBe(null)
  expect(backupProblem(record(), now - 3 * DAY_MS, now)).toContain('two days')
  expect(backupProblem(record({ madeAt: now - DAY_MS }), 0, now)).toBe(null)
  const missed = 50 * 3600_000
  expect(backupProblem(record({ madeAt: now - missed + 1 }), 0, now)).toBe(null)
  expect(backupProblem(record({ madeAt: now - missed }), 0, now)).toContain('two days')
})
