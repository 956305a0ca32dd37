import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { florinHere } from './in-process.ts'

const EMAIL = 'ann@shop.example'
const LINK = /^http.*\/dashboard\/link\/[\w-]{43}$/

const dataDir = newFolder()
const florin = florinHere(dataDir)
let merchantId = ''
let userId = ''

beforeAll(async () => {
  merchantId = (await florin.merchant('shop@shop.example')).merchantId
  const created = await florin.json('user', 'create', '--email', EMAIL, '--merchant', merchantId)
  const link = expect.stringMatching(LINK)
  expect(created).toEqual({ userId: expect.any(String), email: EMAIL, link, wasReset: false })
  userId = created.userId
})

/** Reads or writes the database that the commands use. */
function inDatabase<T>(work: (database: Database) => T): T {
  const database = new Database(databaseFile(dataDir))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** A second factor, a passkey, a recovery code and a login, as the dashboard stores them. */
const givenSecondFactor = () =>
  inDatabase(database => {
    database.run("INSERT INTO second_factors VALUES (?, 'ABCD', 1, 0)", [userId])
    database.run("INSERT INTO recovery_codes VALUES (?, 'hash')", [userId])
    database.run("INSERT INTO passkeys VALUES ('passkey', ?, 'Phone', 'pQ', 0, '[]', 1, NULL)", [userId])
    database.run("INSERT INTO logins VALUES ('login', ?, NULL, 1, '', '', 1, 1, NULL)", [userId])
  })

const counts = () =>
  inDatabase(database => {
    const count = (table: string) =>
      database
        .query<{ n: number }, [string]>(`SELECT count(*) AS n FROM ${table} WHERE user_id = ?`)
        .get(userId)?.n
    return {
      factors: count('second_factors'),
      codes: count('recovery_codes'),
      passkeys: count('passkeys'),
      logins: count('logins'),
    }
  })

test('user reset keeps the second factor and the passkeys, unless both were lost', async () => {
  givenSecondFactor()
  const kept = await florin.json('user', 'reset', EMAIL.toUpperCase())
  expect(kept).toEqual({ userId, email: EMAIL, link: expect.stringMatching(LINK) })
  expect(counts()).toEqual({ factors: 1, codes: 1, passkeys: 1, logins: 0 })
  const gone = await florin.json('user', 'reset', EMAIL, '--second-factor')
  expect(gone.link).not.toBe(kept.link)
  expect(counts()).toEqual({ factors: 0, codes: 0, passkeys: 0, logins: 0 })
  const { items } = await florin.json('audit', 'list', '--merchant', merchantId)
  const actions = items.map(({ actor, action }: Record<string, string>) => `${actor} ${action}`)
  for (const action of ['second_factor.off', 'passkey.removed', 'user.reset'])
    expect(actions).toContain(`cli ${action}`)
})

test('user suspend and restore are shown by user list', async () => {
  const list = async () => (await florin.json('user', 'list')).items
  expect(await florin.json('user', 'suspend', EMAIL)).toEqual({ userId, email: EMAIL, suspended: true })
  expect(await list()).toMatchObject([
    { userId, suspended: true, merchants: [{ merchantId, role: 'owner' }] },
  ])
  expect(await florin.json('user', 'restore', EMAIL)).toEqual({ userId, email: EMAIL, suspended: false })
  expect(await list()).toMatchObject([{ userId, suspended: false }])
})

test('user create makes a new link if an owner may know the password, unless it is to be kept', async () => {
  const add = (...args: string[]) => florin.json('user', 'create', '--email', EMAIL, ...args)
  const other = (await florin.merchant('other@shop.example')).merchantId
  inDatabase(database => database.run("UPDATE users SET password_hash = 'known'"))
  givenSecondFactor()
  const kept = { factors: 1, codes: 1, passkeys: 1, logins: 1 }
  expect(await add('--merchant', other, '--keep-password')).toMatchObject({ link: null, wasReset: false })
  expect(await add('--merchant', other)).toMatchObject({ link: null, wasReset: false })
  expect(counts()).toEqual(kept)
  const { exitCode, stdout } = await florin.run('user', 'create', '--email', EMAIL)
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('which somebody else may have made')])
  expect(stdout).toMatch(/dashboard\/link\/[\w-]{43}\n/)
  expect(counts()).toEqual({ factors: 0, codes: 0, passkeys: 0, logins: 0 })
  inDatabase(database =>
    expect(database.query("SELECT 1 FROM users WHERE password_hash = 'known'").all()).toEqual([]),
  )
})

test('user commands refuse an unknown person', () =>
  florin.refuses([
    ['a reset', ['user', 'reset', 'nobody@shop.example'], /No user/],
    ['a suspension', ['user', 'suspend', 'nobody@shop.example'], /No user/],
    ['a return', ['user', 'restore', 'nobody@shop.example'], /No user/],
  ]))

test('a server without users prints a code for the first user, and the link with the same code', async () => {
  const empty = florinHere()
  await empty.merchant('shop@shop.example')
  const first = await empty.json('user', 'code')
  const { code, link } = await empty.json('user', 'code')
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect([link.endsWith(`/dashboard/link/${code}`), first.code === code]).toEqual([true, false])
  expect((await empty.run('user', 'code')).stdout).toMatch(/enter the code [0-9A-Z-]{19}$/m)
  const refused = await florin.run('user', 'code')
  expect([refused.exitCode, refused.stdout, refused.stderr.includes('florin user create')]).toEqual([
    1,
    '',
    true,
  ])
})
