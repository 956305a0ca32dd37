import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import type { Storage } from '../../src/storage/port.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import type { Target } from '../../src/storage/postgres/socket.ts'
import { merchantRow, newId } from '../storage/contract/given.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { until } from '../support/until.ts'

let target: Target
let drop: () => Promise<void>
let admin: Connection
let storages: Storage[]

beforeAll(async () => {
  const made = await newPostgresDatabase()
  target = databaseUrl(made.url)!
  drop = made.drop
  admin = await connect(target)
  storages = await Promise.all([0, 1, 2].map(() => openStorage(target, 0)))
})
afterAll(async () => {
  await Promise.all(storages.map(storage => storage.close()))
  await admin.close()
  await drop()
})

const names = () =>
  storages[0]!.read(async tables => (await tables.merchants.list()).map(({ name }) => name).sort())
/** Ends the sessions of all servers, and waits until they are gone. */
async function endSessions(): Promise<void> {
  const ended = await admin.rows(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  const pids = JSON.stringify(ended.map(({ pid }) => pid))
  const left = `SELECT 1 FROM pg_stat_activity
    WHERE pid IN (SELECT value::int FROM json_array_elements_text($1::text::json))`
  await until(async () => (await admin.rows(left, [pids])).length === 0, 'the end of the sessions', 30_000)
}
const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing failed'),
    error => error,
  )

describe('several processes', () => {
  test('with one that hangs in its readiness check stay ready', async () => {
    const hanging = await connect(target)
    await hanging.script('BEGIN')
    const probed =
      "INSERT INTO write_probes (id, padding) VALUES (1, '') ON CONFLICT (id) DO UPDATE SET padding = ''"
    await hanging.script(probed)
    const since = performance.now()
    await storages[0]!.check()
    expect(performance.now() - since).toBeLessThan(3000)
    await hanging.script('ROLLBACK')
    await hanging.close()
  })

  test('lose no addition, and allocate each address once', async () => {
    const merchant = merchantRow({ name: 'shared' })
    await storages[0]!.write(tables => tables.merchants.insert(merchant))
    const source = newId()
    await admin.rows(
      `INSERT INTO address_sources (id, merchant_id, network, kind, next_index, active, created_at, updated_at)
       VALUES ($1, $2, 'btc', 'pool', 0, 1, 0, 0)`,
      [source, merchant.id],
    )
    await admin.rows(
      `INSERT INTO source_addresses (network, address, source_id, merchant_id, position)
       SELECT 'btc', 'address' || n, $1, $2, n FROM generate_series(0, 89) n`,
      [source, merchant.id],
    )
    const given = await Promise.all(
      Array.from({ length: 90 }, (_, at) =>
        storages[at % 3]!.write(async tables => {
          await tables.statistics.add(merchant.id, 5, 'USD', { gross: 1n })
          const free = await tables.sources.findFree(source)
          const isTaken = await tables.sources.allocate('btc', free!.address, newId(), at)
          return isTaken ? free!.address : null
        }),
      ),
    )
    expect(new Set(given).size).toBe(90)
    expect(given).not.toContain(null)
    const [sums] = await storages[1]!.read(tables =>
      tables.statistics.listSums(merchant.id, 'USD', [0, 86_400_000]),
    )
    expect(sums?.gross).toBe(90n)
  })

  test('see at once that another revoked a key', async () => {
    const merchant = merchantRow({ name: 'keys' })
    const id = newId()
    await storages[0]!.write(async tables => {
      await tables.merchants.insert(merchant)
    })
    await admin.rows(
      `INSERT INTO keys (id, merchant_id, mode, scopes, secret_hash, created_at) VALUES ($1, $2, 'live', '[]', 'x', 0)`,
      [id, merchant.id],
    )
    expect((await storages[1]!.findKey(id))?.key.revokedAt).toBe(null)
    await storages[2]!.write(tables => tables.keys.revoke(id, 5))
    expect((await storages[1]!.findKey(id))?.key.revokedAt).toBe(5)
  })
})

describe('a connection that is lost', () => {
  test('fails the write that used it, but no later one', async () => {
    const before = await names()
    const failure = await failureOf(
      storages[0]!.write(async tables => {
        await tables.merchants.insert(merchantRow({ name: 'lost' }))
        await endSessions()
        await tables.merchants.insert(merchantRow({ name: 'outside' }))
      }),
    )
    expect(failure.message).toMatch(/^The database cannot be used: /)
    expect(failure.cause).toBeInstanceOf(Refusal)
    expect((failure.cause as Refusal).code).toBe('storage_unavailable')
    expect(await names()).toEqual(before)
    await storages[0]!.write(tables => tables.merchants.insert(merchantRow({ name: 'after' })))
    expect(await names()).toEqual([...before, 'after'].sort())
  })

  test('is opened again before the next write or read, which do not fail', async () => {
    await endSessions()
    await storages[1]!.write(tables => tables.merchants.insert(merchantRow({ name: 'again' })))
    expect(await names()).toContain('again')
  })

  test('during a commit is an error, and the write does not run again', async () => {
    await admin.script(`
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER end_session AFTER INSERT ON merchants DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.name = 'unknown') EXECUTE FUNCTION end_session()`)
    let runs = 0
    const failure = await failureOf(
      storages[0]!.write(async tables => {
        runs++
        await tables.merchants.insert(merchantRow({ name: 'unknown' }))
      }),
    )
    expect(failure.message).toMatch(/^The database cannot be used: /)
    expect(runs).toBe(1)
    expect(await names()).not.toContain('unknown')
    await admin.script('DROP TRIGGER end_session ON merchants')
    await storages[0]!.check()
  })
})

test('a write that continues after a failed statement does not count as stored', async () => {
  const merchant = merchantRow({ name: 'twice' })
  const failure = await failureOf(
    storages[0]!.write(async tables => {
      await tables.merchants.insert(merchant)
      await tables.merchants.insert(merchant).catch(() => {})
      return 'stored'
    }),
  )
  expect(failure.message).toMatch(/^duplicate key value violates unique constraint/)
  expect(await names()).not.toContain('twice')
})

test('servers know their number, and commands do not count', async () => {
  const use = { as: 'server', mode: 'live' } as const
  expect(storages[0]!.servers()).toBe(1)
  const first = await openStorage(target, 0, {}, use)
  const second = await openStorage(target, 0, {}, use)
  expect(second.servers()).toBe(2)
  await until(async () => first.servers() === 2, 'noticing the second server', 30_000)
  await endSessions()
  await second.close()
  await until(async () => first.servers() === 1, 'noticing that it ended', 30_000)
  await first.close()
})

test('a commit that schedules a job wakes other servers', async () => {
  const woken: number[] = []
  const use = { as: 'server', mode: 'live' } as const
  const server = await openStorage(target, 0, { onScheduled: dueAt => woken.push(dueAt) }, use)
  const dueAt = Date.now()
  const job = { kind: 'order.expire', subject: newId(), lane: 'orders', dueAt } as const
  // A wake-up is lost if the connection has just been lost. The wake-up of a later commit arrives.
  const isWoken = async () => {
    await storages[0]!.write(tables => tables.jobs.schedule(job))
    await Bun.sleep(100)
    return woken.length > 0
  }
  await until(isWoken, 'a message', 30_000)
  expect(new Set(woken)).toEqual(new Set([dueAt]))
  await server.close()
})

test('a statement that has to scan a table is not JIT-compiled', async () => {
  const connection = await connect(target)
  await connection.script('SET enable_seqscan = off')
  const plan = await connection.rows("EXPLAIN SELECT * FROM statistic_changes WHERE delta <> ''")
  await connection.close()
  expect(JSON.stringify(plan)).toContain('Seq Scan')
  expect(JSON.stringify(plan)).not.toContain('JIT')
})
