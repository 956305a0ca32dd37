import { describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import type { Storage, Tables } from '../../src/storage/port.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { keyRow, merchantRow, newId } from './contract/given.ts'
import { storageContract } from './contract.ts'

const template = newFolder()
await openStorage(databaseFile(template), 0).close()

/** Opens a copy of the database that migrations made once. */
function openCopy(): Storage {
  const file = databaseFile(newFolder())
  copyFileSync(databaseFile(template), file)
  return openStorage(file, 0)
}

storageContract('SQLite', async () => {
  const storage = openCopy()
  return { storage, close: () => storage.close() }
})

describe('closing the database', () => {
  test('waits for earlier requests, and refuses later ones', async () => {
    const storage = openCopy()
    const merchant = merchantRow()
    const written = storage.write(tables => tables.merchants.insert(merchant))
    const found = written.then(() => 'written')
    const read = storage.read(tables => tables.merchants.list()).then(() => 'read')
    const closing = storage.close()
    const late = [
      () => storage.read(async () => 'late'),
      () => storage.write(async () => 'late'),
      () => storage.findKey(newId()),
      () => storage.remember(['wallets'], 'late', async () => 'late'),
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
  })

  test('is not delayed by a read that arrives meanwhile', async () => {
    const storage = openCopy()
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
  })
})

describe('an API key that is remembered', () => {
  async function givenKey() {
    const file = databaseFile(newFolder())
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

describe('rows that writes remember', () => {
  const at = Date.parse('2026-03-01')

  async function givenShop() {
    const file = databaseFile(newFolder())
    copyFileSync(databaseFile(template), file)
    const server = openStorage(file, 0)
    const command = openStorage(file, 0)
    const merchant = merchantRow({ name: 'First' })
    await server.write(tables => tables.merchants.insert(merchant))
    return {
      server,
      command,
      merchant,
      nameIn: (storage: Storage) =>
        storage.write(async tables => (await tables.merchants.find(merchant.id))?.name),
      rename: (storage: Storage, name: string) =>
        storage.write(tables => tables.merchants.update(merchant.id, { name })),
      add: (storage: Storage, gross: bigint) =>
        storage.write(tables => tables.statistics.add(merchant.id, at, 'USD', { gross })),
      async gross() {
        const list = (tables: Tables) => tables.statistics.listSums(merchant.id, 'USD', [at, at + 900_000])
        return (await server.read(list))[0]?.gross
      },
      async close() {
        await Promise.all([server.close(), command.close()])
      },
    }
  }

  test('follow changes of this process and of others at once', async () => {
    const { server, command, nameIn, rename, close } = await givenShop()
    expect([await nameIn(server), await nameIn(command)]).toEqual(['First', 'First'])
    await rename(command, 'Second')
    expect([await nameIn(server), await nameIn(command)]).toEqual(['Second', 'Second'])
    await rename(server, 'Third')
    expect([await nameIn(command), await nameIn(server)]).toEqual(['Third', 'Third'])
    await close()
  })

  test('are those of the database after a write that failed', async () => {
    const { server, merchant, nameIn, add, gross, close } = await givenShop()
    await nameIn(server)
    await add(server, 1n)
    const change = async (tables: Tables) => {
      await tables.merchants.update(merchant.id, { name: 'Failed' })
      expect((await tables.merchants.find(merchant.id))?.name).toBe('Failed')
      await tables.statistics.add(merchant.id, at, 'USD', { gross: 100n })
      throw new Error('no')
    }
    expect(await server.write(change).catch(String)).toBe('Error: no')
    expect(await nameIn(server)).toBe('First')
    const together = [server.write(change).catch(String), add(server, 10n)]
    expect(await Promise.all(together)).toEqual(['Error: no', undefined])
    await add(server, 1000n)
    expect(await nameIn(server)).toBe('First')
    expect(await gross()).toBe(1011n)
    await close()
  })

  test('are those of the database after a failed commit', async () => {
    const { server, merchant, nameIn, add, gross, close } = await givenShop()
    await add(server, 1n)
    // The database refuses the whole write because of the statistics, which are stored last.
    const broken = server.write(async tables => {
      await tables.merchants.update(merchant.id, { name: 'Failed' })
      await tables.merchants.find(merchant.id)
      await tables.statistics.add(merchant.id, at, 'USD', { gross: 100n })
      await tables.statistics.add(newId(), at, 'USD', { gross: 100n })
    })
    expect(await broken.then(String, () => 'refused')).toBe('refused')
    await add(server, 10n)
    expect(await nameIn(server)).toBe('First')
    expect(await gross()).toBe(11n)
    await close()
  })

  test('add up the counts of several processes', async () => {
    const { server, command, add, gross, close } = await givenShop()
    for (const storage of [server, server, command, server, command, command, server]) await add(storage, 1n)
    expect(await gross()).toBe(7n)
    await close()
  })
})
