import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Writer } from '../../src/storage/sqlite/writer.ts'
import { newFolder } from '../support/process.ts'

let folder: string
let database: Database
let writer: Writer

beforeEach(() => {
  folder = newFolder()
  database = new Database(join(folder, 'a.sqlite'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT')
  writer = new Writer(database)
})
afterEach(() => database.close())

const note = (text: string) => database.run('INSERT INTO notes VALUES (?)', [text])
const notes = () => database.query('SELECT text FROM notes ORDER BY text').values().flat()

/** Makes the database count how often each prepared statement runs. */
function countRuns() {
  const runs = new Map<string, number>()
  const counting = new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return (sql: string) => {
        const statement = target.prepare(sql)
        const run = () => {
          runs.set(sql, (runs.get(sql) ?? 0) + 1)
          return statement.run()
        }
        return { run }
      }
    },
  })
  return { database: counting, of: (sql: string) => runs.get(sql) ?? 0 }
}

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

  test('lets clients share a commit if they return within a turn of the event loop', async () => {
    const counted = countRuns()
    const counting = new Writer(counted.database)
    async function later(): Promise<void> {
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    }
    async function client(name: string, wait: () => unknown): Promise<void> {
      for (let round = 0; round < 5; round++) {
        await counting.write(async () => note(`${name}${round}`))
        await wait()
      }
    }
    await Promise.all([client('a', () => {}), client('b', () => {}), client('c', later), client('d', later)])
    expect([counted.of('COMMIT'), notes().length]).toEqual([5, 20])
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

  test('commits waiting writes together, without savepoints', async () => {
    const runs = countRuns()
    const grouping = new Writer(runs.database)
    await Promise.all(Array.from({ length: 100 }, (_, i) => grouping.write(async () => note(`${i}`))))
    expect(notes().length).toBe(100)
    expect(runs.of('COMMIT')).toBeLessThan(5)
    expect(runs.of('SAVEPOINT work')).toBe(0)
  })

  test('runs the writes of a group again, each in a savepoint, when one of them fails', async () => {
    const runs = countRuns()
    const grouping = new Writer(runs.database)
    const tries: string[] = []
    const kept = (text: string) =>
      grouping.write(async () => {
        tries.push(text)
        note(text)
        return tries.length
      })
    const results = await Promise.allSettled([
      kept('a'),
      grouping.write(async () => {
        note('b')
        throw new Error('changed my mind')
      }),
      kept('c'),
    ])
    expect(results).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('changed my mind') },
      { status: 'fulfilled', value: 3 },
    ])
    expect([tries, notes()]).toEqual([
      ['a', 'a', 'c'],
      ['a', 'c'],
    ])
    expect([runs.of('COMMIT'), runs.of('SAVEPOINT work')]).toEqual([1, 3])
  })

  test('rolls back a write that fails alone, and runs it once', async () => {
    const runs = countRuns()
    const grouping = new Writer(runs.database)
    let tries = 0
    const failing = grouping.write(async () => {
      tries++
      note('a')
      throw new Error('changed my mind')
    })
    expect(await failing.catch(error => error.message)).toBe('changed my mind')
    await grouping.write(async () => note('b'))
    expect([tries, notes(), runs.of('COMMIT'), runs.of('SAVEPOINT work')]).toEqual([1, ['b'], 1, 0])
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
