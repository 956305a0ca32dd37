import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Socket, TCPSocketListener } from 'bun'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, ConnectionLost, connect } from '../../src/storage/postgres/connection.ts'
import { silence } from '../../src/storage/postgres/patience.ts'
import { newPostgresDatabase } from '../support/postgres.ts'

// Between Florin and the server is a relay that can fall silent, as a machine does that is switched off: it
// neither answers nor closes anything.

interface Other {
  socket: Socket<unknown> | null
  unsent: Uint8Array[]
}

let relay: TCPSocketListener<Other>
let isSilent = false
let through: string
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await newPostgresDatabase()
  drop = made.drop
  const [server] = databaseUrl(made.url)!.hosts
  relay = Bun.listen<Other>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        const data: Other = { socket: null, unsent: [] }
        client.data = data
        const handlers = {
          open(socket: Socket<unknown>) {
            data.socket = socket
            for (const bytes of data.unsent.splice(0)) socket.write(bytes)
          },
          data: (_: unknown, bytes: Uint8Array) => void (isSilent || client.write(bytes)),
          close: () => void (isSilent || client.end()),
        }
        const { host, port } = server!
        if (isSilent) return
        if (host.startsWith('/')) Bun.connect({ unix: `${host}/.s.PGSQL.${port}`, socket: handlers })
        else Bun.connect({ hostname: host, port, socket: handlers })
      },
      data({ data }, bytes) {
        if (isSilent) return
        if (data.socket) data.socket.write(bytes)
        else data.unsent.push(Uint8Array.from(bytes))
      },
      close({ data }) {
        data.socket?.end()
      },
    },
  })
  const url = new URL(made.url)
  through = `postgres://${url.username || 'florin'}@127.0.0.1:${relay.port}${url.pathname}`
})
afterAll(async () => {
  relay.stop(true)
  await drop()
})

const open = (knockMs: number): Promise<Connection> =>
  connect(databaseUrl(through)!, { answerMs: 60_000, silentMs: 100, knockMs })

test('a statement that takes long is waited for, as long as the server answers others', async () => {
  const connection = await open(20_000)
  const [row] = await connection.rows("SELECT pg_sleep(1.5), 'done' AS text")
  expect(row?.text).toBe('done')
  await connection.close()
})

test('a server that vanished is given up, long before the limit of an answer', async () => {
  const connection = await open(2000)
  const since = performance.now()
  const answer = connection.rows('SELECT pg_sleep(600)').catch(error => error)
  isSilent = true
  expect(await answer).toBeInstanceOf(ConnectionLost)
  expect(performance.now() - since).toBeLessThan(30_000)
  expect(connection.isLost()).toBe(true)
  isSilent = false
  await connection.close()
  const { silentMs, knockMs } = silence
  expect(silentMs + 2 * knockMs).toBeLessThanOrEqual(13_000)
})
