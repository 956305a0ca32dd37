import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../../src/storage/port.ts'
import { readNote } from '../../src/storage/sqlite/commit-note.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { merchantRow } from './contract/given.ts'

let folder: string
let storage: Storage

beforeEach(() => {
  folder = newFolder()
  storage = openStorage(databaseFile(folder), 0)
})
afterEach(() => storage.close())

function counted(): number {
  const database = new Database(databaseFile(folder), { readonly: true })
  const row = database.query<{ count: number }, []>('SELECT count FROM commits').get()
  database.close()
  return row?.count ?? Number.NaN
}
const note = () => join(folder, 'florin.commits')
const noted = () => readNote(databaseFile(folder))?.count
const add = (email: string) => storage.write(tables => tables.merchants.insert({ ...merchantRow(), email }))

test('commits are counted in the database and in the note', async () => {
  await add('a@shop.example')
  await add('b@shop.example')
  expect([counted(), noted()]).toEqual([2, 2])
})

test('writes that share a commit are counted once, also if one of them fails', async () => {
  const failing = storage.write(async tables => {
    await tables.merchants.insert({ ...merchantRow(), email: 'c@shop.example' })
    throw new Error('changed my mind')
  })
  await Promise.allSettled([add('a@shop.example'), failing, add('b@shop.example')])
  expect([counted(), noted()]).toEqual([1, 1])
})

test('a write that fails or changes nothing makes no commit that would wait for the disk', async () => {
  await add('a@shop.example')
  await storage.write(tables => tables.merchants.list())
  const failing = storage.write(async tables => {
    await tables.merchants.insert({ ...merchantRow(), email: 'b@shop.example' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await storage.write(tables => tables.merchants.list())
  expect([counted(), noted()]).toEqual([1, 1])
})

/** Every file that a power failure may leave while `after` is being written over `before`. */
function tornFiles(before: Buffer, after: Buffer): Buffer[] {
  const ends = Array.from({ length: after.length + 1 }, (_, end) => end)
  return ends.flatMap(end => [
    Buffer.concat([after.subarray(0, end), before.subarray(end)]),
    Buffer.concat([before.subarray(0, end), after.subarray(end)]),
  ])
}

test('a note that was torn while it was written never counts more commits than were written', async () => {
  await add('a@shop.example')
  const database = new Database(databaseFile(folder))
  database.run('UPDATE commits SET count = 998')
  database.close()
  await add('b@shop.example')
  const before = readFileSync(note())
  await add('c@shop.example')
  const after = readFileSync(note())
  const counts = tornFiles(before, after).map(torn => {
    writeFileSync(note(), torn)
    return noted() ?? 'unreadable'
  })
  expect(new Set(counts)).toEqual(new Set([999, 1000, 'unreadable']))
})

test.each([
  ['empty', ''],
  ['zeros', '\0'.repeat(4096)],
  ['of another program', 'hello\n'],
])('a note that is %s does not stop the database', async (_, content) => {
  await add('a@shop.example')
  await storage.close()
  writeFileSync(note(), content)
  storage = openStorage(databaseFile(folder), 0)
  await add('b@shop.example')
  expect([counted(), noted()]).toEqual([2, 2])
})

/** The number of times that this process has the file open. Other tests in it open files too. */
function openFiles(name: string): number {
  return readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === name
    } catch {
      return false
    }
  }).length
}

test.if(process.platform === 'linux')(
  'a note that cannot be written stops no write, and leaves no file open',
  async () => {
    // This file can be opened, but its mode cannot be changed, like a file of another user.
    symlinkSync('/proc/self/comm', note())
    for (let i = 0; i < 6; i++) await add(`a${i}@shop.example`)
    expect(openFiles(realpathSync('/proc/self/comm'))).toBe(0)
    expect(counted()).toBe(6)
    rmSync(note())
    await storage.close()
    storage = openStorage(databaseFile(folder), 0)
    await add('c@shop.example')
    expect([counted(), noted()]).toEqual([7, 7])
  },
)
