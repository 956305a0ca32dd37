import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { EVM_WALLET, florinIn, mapConcurrently } from './commands.ts'

afterAll(endProcesses)

const WRITES = 30
const CLIENTS = 4

test('30 commands can write beside a server under load, and nothing is lost', async () => {
  const dataDir = newFolder()
  const florin = florinIn(dataDir)
  const server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' })
  const { merchantId } = await florin.merchant('shop@shop.example')
  const { key } = await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
  const toForce = (await server.call('POST', '/v1/orders', { key, body: orderBody() })).json.data.orderUUID

  let isOver = false
  const made: string[] = []
  const others: number[] = []
  const client = async () => {
    while (!isOver) {
      const { status, json } = await server.call('POST', '/v1/orders', { key, body: orderBody() })
      if (status === 201) made.push(json.data.orderUUID)
      else others.push(status)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))

  const shop = ['--merchant', merchantId]
  const writes: string[][] = Array.from({ length: WRITES - 1 }, (_, i) => {
    const kinds = [
      ['merchant', 'create', '--email', `shop${i}@shop.example`, '--name', `Shop ${i}`],
      ['key', 'create', ...shop, '--mode', 'test'],
      ['customer', 'block', ...shop, '--email', `thief${i}@buyer.example`],
    ]
    return kinds[i % kinds.length]!
  })
  writes.push(['order', 'force', ...shop, '--order', toForce, '--by', 'Ann', '--reason', 'paid in cash'])
  const answers = await mapConcurrently(writes, args => florin.json(...args), WRITES)
  isOver = true
  await clients

  expect(others).toEqual([])
  expect(made.length).toBeGreaterThan(CLIENTS)
  const { items: merchants } = await florin.json('merchant', 'list')
  const { items: keys } = await florin.json('key', 'list', ...shop)
  for (const answer of answers) {
    if (answer.email?.startsWith('shop')) expect(merchants).toContainEqual(expect.objectContaining(answer))
    if (answer.keyId) expect(keys.some((kept: { keyId: string }) => kept.keyId === answer.keyId)).toBe(true)
  }
  const forced = await server.call('GET', `/v1/orders/${toForce}`, { key })
  expect(forced.json.data).toMatchObject({ status: 'PAID', forced: true })
  expect((await server.stop()).exitCode).toBe(0)
  const database = new Database(databaseFile(dataDir), { readonly: true })
  const rows = new Set(database.query('SELECT id FROM orders').values().flat())
  expect(made.filter(id => !rows.has(id))).toEqual([])
  expect(database.query('SELECT COUNT(*) FROM customers WHERE blocked_at IS NOT NULL').values()).toEqual([
    [9],
  ])
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  database.close()
  expect(audit(databaseFile(dataDir))).toEqual([])
})

test('commands that start at once in an empty directory all succeed', async () => {
  for (let round = 0; round < 2; round++) {
    const florin = florinIn(newFolder())
    const emails = Array.from({ length: 5 }, (_, i) => `shop${i}@shop.example`)
    await mapConcurrently(emails, email => florin.merchant(email), emails.length)
    const merchants: { email: string }[] = (await florin.json('merchant', 'list')).items
    expect(merchants.map(({ email }) => email).sort()).toEqual(emails)
  }
})
