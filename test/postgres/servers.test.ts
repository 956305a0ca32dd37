import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { postgresEngine } from '../../src/storage/postgres/engine.ts'
import { describeFault } from '../../src/storage/postgres/faults.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

let server: PostgresServer
let port: string

beforeAll(async () => {
  server = await startPostgres({ tls: true })
  chmodSync(dirname(server.certificate), 0o755)
  port = new URL(server.url('postgres')).port
})
afterAll(() => server.stop())

/** True if the connection is encrypted; otherwise the reason why there is no connection. */
async function encryptionOf(rest: string): Promise<unknown> {
  const target = databaseUrl(`postgres://florin:S3CRET@${rest}`)!
  try {
    const connection = await connect(target)
    const [row] = await connection.rows('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    await connection.close()
    return row?.ssl
  } catch (error) {
    const fault = describeFault(error) ?? (error as Error).message
    expect(fault).not.toContain('S3CRET')
    return fault
  }
}

describe('encryption', () => {
  test('accepts the certificate of a named authority, for its own name alone', async () => {
    const trusted = `sslmode=verify-full&sslrootcert=${server.certificate}`
    expect(await encryptionOf(`localhost:${port}/postgres?${trusted}`)).toBe(true)
    expect(await encryptionOf(`127.0.0.1:${port}/postgres?${trusted}`)).toMatch(/certificate is not trusted/)
    expect(await encryptionOf(`localhost:${port}/postgres?sslmode=verify-full`)).toMatch(
      /certificate is not trusted .* Set sslrootcert=FILE/,
    )
    const missing = `localhost:${port}/postgres?sslmode=verify-full&sslrootcert=/no/such/file`
    expect(await encryptionOf(missing)).toMatch(/^Cannot read the file of sslrootcert/)
  })

  test('can be used without a check, or be switched off', async () => {
    expect(await encryptionOf(`127.0.0.1:${port}/postgres?sslmode=require`)).toBe(true)
    expect(await encryptionOf(`127.0.0.1:${port}/postgres`)).toBe(false)
  })
})

describe('a server that cannot be used', () => {
  test('is described with advice', async () => {
    const faults = await Promise.all(
      ['localhost:1/d', `127.0.0.1:${port}/nothing`, 'no-such-host.invalid/d?sslmode=disable'].map(
        encryptionOf,
      ),
    )
    expect(faults).toEqual([
      'no server listens there (ECONNREFUSED). Start it, or correct FLORIN_DATABASE_URL.',
      'the database does not exist (3D000). Create it, or correct FLORIN_DATABASE_URL.',
      expect.stringMatching(/^its host is not found/),
    ])
  })

  test('is skipped if another host is named', async () => {
    expect(await encryptionOf(`127.0.0.1:1,127.0.0.1:${port}/postgres`)).toBe(false)
  })

  test('is refused if its database is of another program or has another encoding', async () => {
    const other = await server.create()
    const connection = await connect(databaseUrl(server.url(other))!)
    await connection.script('CREATE TABLE things (id int)')
    await connection.script(
      "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    )
    await connection.close()
    const failureOf = (name: string) =>
      openStorage(databaseUrl(server.url(name))!, 0).catch(error => (error as Error).message)
    expect(await failureOf(other)).toMatch(/tables of another program\. Set FLORIN_DATABASE_URL/)
    expect(await failureOf('latin')).toMatch(/the encoding LATIN1, not UTF8\. Create one with/)
  })

  test('makes the readiness check fail, which succeeds again afterwards', async () => {
    const name = await server.create()
    const admin = await connect(databaseUrl(server.url('postgres'))!)
    const storage = await openStorage(databaseUrl(server.url(name))!, 0)
    await storage.check()
    await admin.script(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await admin.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    const left = async () => admin.rows('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [name])
    await until(async () => (await left()).length === 0, 'the end of the sessions', 30_000)
    const failure = await storage.check().catch(error => (error as Error).message)
    expect(failure).toMatch(/^The database cannot be used: it takes no connections \(55000\)/)
    expect(await postgresEngine(databaseUrl(server.url(name))!).readState()).toMatchObject({
      kind: 'refused',
      reason: failure,
    })
    await admin.script(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    await storage.check()
    await storage.close()
    await admin.close()
  })

  test('is given up if it does not answer', async () => {
    const connection = await connect(databaseUrl(server.url('postgres'))!, { answerMs: 300 })
    const lost = new Promise<void>(resolve => connection.onLost(resolve))
    const failure = await connection.rows('SELECT pg_sleep(20)').catch(error => String(error))
    expect(failure).toContain('The connection to the database was lost')
    await lost
    expect(connection.isLost()).toBe(true)
  })
})
