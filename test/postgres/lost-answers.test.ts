import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, ConnectionLost, connect } from '../../src/storage/postgres/connection.ts'
import type { Target } from '../../src/storage/postgres/socket.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

// Tests statements on a session that are never answered.

const WAIT_MS = 30_000

let target: Target
let admin: Connection
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await newPostgresDatabase()
  target = databaseUrl(made.url)!
  drop = made.drop
  admin = await connect(target)
})
afterAll(async () => {
  await admin.close()
  await drop()
})

test('when a session ends, all statements that were sent or wait to be sent fail', async () => {
  const connection = await connect(target)
  const [own] = await connection.rows('SELECT pg_backend_pid() AS pid')
  let left = 500
  const sent = [
    connection.script('SELECT pg_sleep(20)'),
    ...Array.from({ length: left - 1 }, () => connection.query('SELECT ?', [1])),
  ].map(answer =>
    answer.then(
      () => 'an answer',
      error => {
        left--
        return error instanceof ConnectionLost
      },
    ),
  )
  await admin.rows('SELECT pg_terminate_backend($1)', [own?.pid])
  const failed = await Promise.race([Promise.all(sent), Bun.sleep(WAIT_MS)])
  expect(left).toBe(0)
  expect(new Set(failed ?? [])).toEqual(new Set([true]))
  expect(connection.isLost()).toBe(true)
  await connection.close()
})

test('of several hosts, the last one that accepted writes is tried first', async () => {
  let tries = 0
  const deaf = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        tries++
        socket.terminate()
      },
      data() {},
    },
  })
  const several = { ...target, hosts: [{ host: '127.0.0.1', port: deaf.port }, ...target.hosts] }
  for (let times = 0; times < 3; times++) await (await connect(several)).close()
  expect(tries).toBe(1)
  deaf.stop(true)
})
