import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../src/domain/statistics.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import type { Storage } from '../../src/storage/port.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import type { Target } from '../../src/storage/postgres/socket.ts'
import { merchantRow, newId } from '../storage/contract/given.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

// Statements whose answers are not awaited fail the write that sent them, and no other write.

let url: string
let target: Target
let storage: Storage
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  url = made.url
  target = databaseUrl(url)!
  storage = await openStorage(target, 0)
})
afterAll(async () => {
  await storage.close()
  await drop()
})

const names = () => storage.read(async tables => (await tables.merchants.list()).map(({ name }) => name))

test('a statement whose answer is not awaited fails only its own write', async () => {
  const taken = merchantRow({ name: 'taken' })
  await storage.write(tables => tables.merchants.insert(taken))
  const results = await Promise.allSettled([
    storage.write(tables => tables.merchants.insert(merchantRow({ name: 'before' }))),
    storage.write(async tables => {
      await tables.merchants.insert(taken)
      return 'stored'
    }),
    storage.write(async tables => {
      await tables.merchants.insert(merchantRow({ name: 'after' }))
      return tables.merchants.find(taken.id)
    }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await names()).sort()).toEqual(['after', 'before', 'taken'])
})

test('a write whose last statement fails is not stored', async () => {
  const made = merchantRow({ name: 'twice' })
  const twice = storage.write(async tables => {
    await tables.merchants.insert(made)
    await tables.merchants.insert(made)
  })
  await expect(twice).rejects.toThrow('duplicate key')
  expect(await names()).not.toContain('twice')
})

describe('the writes of several servers', () => {
  let others: Storage[]
  let admin: Connection
  const all = () => [storage, ...others]

  beforeAll(async () => {
    others = await Promise.all([0, 1].map(() => openStorage(target, 0)))
    admin = await connect(target)
  })
  afterAll(async () => {
    await Promise.all(others.map(other => other.close()))
    await admin.close()
  })

  test('claim each job once', async () => {
    const subjects = Array.from({ length: 60 }, () => newId())
    await storage.write(async tables => {
      for (const subject of subjects)
        await tables.jobs.schedule({ kind: 'order.expire', subject, lane: 'orders', dueAt: 5 })
    })
    const capacity = { fullLanes: [], remaining: () => 7 }
    const claimed = await Promise.all(
      Array.from({ length: 30 }, (_, at) => all()[at % 3]!.claimJobs(5, `server-${at}`, 100, capacity)),
    )
    const taken = claimed.flat().map(({ subject }) => subject)
    expect(new Set(taken).size).toBe(taken.length)
    const left = await storage.claimJobs(5, 'last', 100, { fullLanes: [], remaining: () => 100 })
    expect([...taken, ...left.map(({ subject }) => subject)].sort()).toEqual(subjects.sort())
    expect(await storage.claimJobs(5, 'none', 100, capacity)).toEqual([])
  })

  test('claim no job that another one leased after they had looked for due jobs', async () => {
    const jobIn = (lane: string) => ({ kind: 'order.expire', subject: newId(), lane, dueAt: 5 }) as const
    const [first, second] = [jobIn('lane 1'), jobIn('lane 2')]
    await storage.write(async tables => {
      for (const job of [first, second]) await tables.jobs.schedule(job)
    })
    const sql = `UPDATE jobs SET due_at = 100, lease = 'other' WHERE subject = '${first.subject}'`
    const program = 'await new Bun.SQL(process.env.URL).unsafe(process.env.SQL); process.exit()'
    const env = { ...process.env, URL: url, SQL: sql }
    // Runs after the first job was found and before both are leased. It cannot await anything.
    const remaining = ({ lane }: { lane: string }) => {
      if (lane === second.lane)
        expect(Bun.spawnSync([process.execPath, '-e', program], { env }).exitCode).toBe(0)
      return 1
    }
    const claimed = await storage.claimJobs(5, 'late', 100, { fullLanes: [], remaining })
    expect(claimed.map(({ subject }) => subject)).toEqual([second.subject])
  })

  test('never store a result that no order of these writes would have', async () => {
    // Each write reads what the other one changes: if they run one after another, at most one inserts.
    for (let round = 0; round < 10; round++) {
      const [one, two] = [merchantRow({ name: `one ${round}` }), merchantRow({ name: `two ${round}` })]
      const insertAlone = (own: Storage, row: typeof one, other: typeof one) =>
        own.write(async tables => {
          if (await tables.merchants.find(other.id)) return false
          await tables.merchants.insert(row)
          return true
        })
      const stored = await Promise.all([insertAlone(others[0]!, one, two), insertAlone(others[1]!, two, one)])
      expect(stored.filter(isStored => isStored).length).toBe(1)
      const found = await names()
      expect(found.includes(one.name) && found.includes(two.name)).toBe(false)
    }
  })

  test('add up each amount once, even in races', async () => {
    const merchant = merchantRow({ name: 'sums' })
    await storage.write(tables => tables.merchants.insert(merchant))
    const add = (at: number) =>
      all()[at % 3]!.write(tables =>
        tables.statistics.add(
          merchant.id,
          at,
          'USD',
          { gross: 1n, paidCount: 1 },
          { methodKey: 'crypto', assetId: 'btc' },
        ),
      )
    const sums = () =>
      others[0]!.read(async tables => [
        ...(await tables.statistics.listSums(merchant.id, 'USD', [0, DAY_MS])),
        ...(await tables.statistics.listMethodSums(merchant.id, 'USD', 0, DAY_MS)),
        await tables.statistics.listCurrencies(merchant.id),
      ])
    await Promise.all(Array.from({ length: 90 }, (_, at) => add(at)))
    const before = await sums()
    expect(before).toMatchObject([{ gross: 90n, paidCount: 90 }, { gross: 90n, assetId: 'btc' }, ['USD']])
    const waiting = () => admin.rows('SELECT id FROM statistic_changes')
    for (let tries = 0; (await waiting()).length > 0 && tries < 600; tries++) await Bun.sleep(50)
    expect(await waiting()).toEqual([])
    expect(await sums()).toEqual(before)
  })

  test('run alone if they lose against others again and again', async () => {
    const merchant = merchantRow({ name: 'wanted' })
    await storage.write(tables => tables.merchants.insert(merchant))
    let runs = 0
    await storage.write(async tables => {
      runs++
      const found = await tables.merchants.find(merchant.id)
      // Another session changes the row meanwhile.
      if (runs <= 3)
        await admin.rows('UPDATE merchants SET fee_percent = $1 WHERE id = $2', [`${runs}`, merchant.id])
      await tables.merchants.update(merchant.id, { name: `${found?.name} ${runs}` })
    })
    expect(runs).toBe(4)
    expect(await names()).toContain('wanted 4')
  })
})
