// The least that a server of this stack does before its first answer: it opens a database and listens. The smoke
// test compares the start of Florin with it, because machines differ by a factor of two.
import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Elysia, t } from 'elysia'

mkdirSync('data')
const database = drizzle(new Database('data/reference.sqlite'))
database.run(sql`PRAGMA journal_mode = wal`)
database.run(sql`CREATE TABLE orders (id TEXT PRIMARY KEY)`)
new Elysia()
  .get('/readyz', () => database.get(sql`SELECT 1`), { query: t.Object({}) })
  .listen({ hostname: '127.0.0.1', port: Number(process.env.FLORIN_PORT) })
process.on('SIGTERM', () => process.exit(0))
