import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { keyRow, merchantRow, newId } from './contract/given.ts'
import { storageContract } from './contract.ts'

const template = mkdtempSync(join(tmpdir(), 'florin-contract-'))
await openStorage(databaseFile(template), 0).close()
afterAll(() => rmSync(template, { recursive: true }))

storageContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-contract-'))
  const file = databaseFile(folder)
  copyFileSync(databaseFile(template), file)
  const storage = openStorage(file, 0)
  return {
    storage,
    async close() {
      await storage.close()
      rmSync(folder, { recursive: true })
    },
  }
})

describe('closing', () => {
  async function givenOpen() {
    const folder = mkdtempSync(join(tmpdir(), 'florin-closing-'))
    const file = databaseFile(folder)
    copyFileSync(databaseFile(template), file)
    return { folder, storage: openStorage(file, 0) }
  }

  test('waits for what was requested before, and refuses what is requested after it', async () => {
    const { folder, storage } = await givenOpen()
    const merchant = merchantRow()
    const written = storage.write(tables => tables.merchants.insert(merchant))
    const found = written.then(() => 'written')
    const read = storage.read(tables => tables.merchants.list()).then(() => 'read')
    const closing = storage.close()
    const late = [
      () => storage.read(async () => 'late'),
      () => storage.write(async () => 'late'),
      () => storage.findKey(newId()),
      () => storage.check(),
      () => storage.inspect(),
      () => storage.compact(),
    ].map(async ask => {
      try {
        return await ask()
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(await Promise.all(late)).toEqual(late.map(() => 'The database has been closed'))
    expect(await Promise.all([found, read])).toEqual(['written', 'read'])
    await closing
    rmSync(folder, { recursive: true })
  })

  test('is not held up by a read that comes in between', async () => {
    const { folder, storage } = await givenOpen()
    const reading = (async () => {
      for (;;) {
        await storage.read(async tables => tables.merchants.list())
        await new Promise(setImmediate)
      }
    })().catch(error => (error as Error).message)
    await storage.write(tables => tables.merchants.insert(merchantRow()))
    const startedAt = performance.now()
    await storage.close()
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(await reading).toBe('The database has been closed')
    rmSync(folder, { recursive: true })
  })
})

describe('an API key that is remembered', () => {
  async function givenKey() {
    const folder = mkdtempSync(join(tmpdir(), 'florin-keys-'))
    const file = databaseFile(folder)
    copyFileSync(databaseFile(template), file)
    const server = openStorage(file, 0)
    const command = openStorage(file, 0)
    const merchant = merchantRow()
    const key = keyRow(merchant.id)
    await server.write(async tables => {
      await tables.merchants.insert(merchant)
      await tables.keys.insert(key)
    })
    const close = async () => {
      await Promise.all([server.close(), command.close()])
      rmSync(folder, { recursive: true })
    }
    return { server, command, key, merchant, close, turn: () => new Promise(setImmediate) }
  }

  test('shows at once that another process revoked it or suspended its merchant', async () => {
    const { server, command, key, merchant, close, turn } = await givenKey()
    expect((await server.findKey(key.id))?.key.revokedAt).toBe(null)
    await turn()
    await command.write(tables => tables.keys.revoke(key.id, 5))
    await turn()
    expect((await server.findKey(key.id))?.key.revokedAt).toBe(5)
    await command.write(tables => tables.merchants.update(merchant.id, { status: 'suspended' }))
    await turn()
    expect((await server.findKey(key.id))?.merchant?.status).toBe('suspended')
    await close()
  })

  test('shows at once that this process revoked it, also when others are reading it', async () => {
    const { server, key, close } = await givenKey()
    await server.findKey(key.id)
    const revoking = server.write(tables => tables.keys.revoke(key.id, 5))
    const during = Promise.all(Array.from({ length: 5 }, () => server.findKey(key.id)))
    await revoking
    expect((await server.findKey(key.id))?.key.revokedAt).toBe(5)
    await during
    expect((await server.findKey(key.id))?.key.revokedAt).toBe(5)
    await close()
  })

  test('stays as it was when a write that changed it fails', async () => {
    const { server, key, close } = await givenKey()
    await server.findKey(key.id)
    const failing = server.write(async tables => {
      await tables.keys.revoke(key.id, 5)
      throw new Error('no')
    })
    expect(await failing.catch(String)).toBe('Error: no')
    expect((await server.findKey(key.id))?.key.revokedAt).toBe(null)
    expect(await server.findKey(newId())).toBe(null)
    await close()
  })
})
