import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writer } from '../../src/storage/sqlite/writer.ts'

let folder: string
let database: Database
let writer: Writer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-writer-'))
  database = new Database(join(folder, 'a.sqlite'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT')
  writer = new Writer(database)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const note = (text: string) => database.run('INSERT INTO notes VALUES (?)', [text])
const notes = () => database.query('SELECT text FROM notes ORDER BY text').values().flat()

describe('the writer', () => {
  test('rolls back a failed write completely, and no other write', async () => {
    const results = await Promise.allSettled([
      writer.write(async () => note('a')),
      writer.write(async () => {
        note('b')
        await Promise.resolve()
        note('c')
        throw new Error('changed my mind')
      }),
      writer.write(async () => note('d')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(notes()).toEqual(['a', 'd'])
  })

  test('resolves a write once another connection can see it', async () => {
    const other = new Database(join(folder, 'a.sqlite'), { readonly: true })
    await Promise.all(
      ['a', 'b', 'c'].map(async text => {
        await writer.write(async () => note(text))
        expect(other.query('SELECT 1 FROM notes WHERE text = ?').values(text).length).toBe(1)
      }),
    )
    other.close()
  })

  test('runs writes one after another, even if they wait', async () => {
    let inside = 0
    await Promise.all(
      Array.from({ length: 50 }, () =>
        writer.write(async () => {
          expect(++inside).toBe(1)
          await Promise.resolve()
          await Promise.resolve()
          inside--
        }),
      ),
    )
  })

  test('commits waiting writes together', async () => {
    let commits = 0
    const counting = new Proxy(database, {
      get(target, name) {
        if (name !== 'prepare') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
        return (sql: string) => {
          const statement = target.prepare(sql)
          if (sql !== 'COMMIT') return statement
          const run = () => {
            commits++
            return statement.run()
          }
          return { run }
        }
      },
    })
    const grouping = new Writer(counting)
    await Promise.all(Array.from({ length: 100 }, (_, i) => grouping.write(async () => note(`${i}`))))
    expect(notes().length).toBe(100)
    expect(commits).toBeLessThan(5)
  })

  test('rejects every write of a failed commit, and runs the next', async () => {
    database.run('PRAGMA foreign_keys = ON')
    database.run('CREATE TABLE a (id TEXT PRIMARY KEY) STRICT')
    database.run('CREATE TABLE b (a TEXT REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED) STRICT')
    const results = await Promise.allSettled([
      writer.write(async () => note('x')),
      writer.write(async () => database.run("INSERT INTO b VALUES ('nobody')")),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(notes()).toEqual([])
    await writer.write(async () => note('y'))
    expect(notes()).toEqual(['y'])
  })
})
