import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, type RunningProcess, startProcess } from '../support/process.ts'
import { EVM_WALLET, florinIn } from './commands.ts'

const dataDir = newFolder()
const florin = florinIn(dataDir)
const today = new Date().toISOString().slice(0, 10)

let server: RunningProcess
let shop: { merchantId: string }

beforeAll(async () => {
  server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' })
  shop = await florin.merchant('shop@shop.example', '--fee-percent', '2.5')
  const { key } = await florin.json('key', 'create', '--merchant', shop.merchantId, '--mode', 'live')
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
  const { json } = await server.call('POST', '/v1/orders', { key, body: orderBody() })
  const { orderUUID } = json.data
  await server.call('GET', `/payment/process/${orderUUID}?method=stripe`)
  await server.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid' } })
})
afterAll(endProcesses)

const range = () => ['--merchant', shop.merchantId, '--from', '2026-01-01']

describe('report show', () => {
  test('prints the periods of a shop as JSON and as text', async () => {
    const shown = await florin.json('report', 'show', ...range(), '--by', 'month')
    expect(shown).toMatchObject({
      timeZone: 'UTC',
      by: 'month',
      currency: 'USD',
      from: '2026-01-01',
      to: today,
    })
    const figures = { orders: 1, conversion: '100.0', paid: 1, gross: '25.00', fees: '0.63', net: '24.37' }
    expect(shown.total).toMatchObject(figures)
    expect(shown.periods.at(-1)).toMatchObject({ ...figures, to: today })
    expect(shown.methods).toMatchObject([{ methodKey: 'stripe', paid: 1, gross: '25.00' }])
    const { stdout } = await florin.run('report', 'show', ...range(), '--by', 'month')
    expect(stdout).toMatch(/^total +1 +100.0% +1 +25.00 +0.63 +0.00 +24.37$/m)
  })

  test('is refused for an invalid range or period', () =>
    florin.refuses([
      ['no date', ['report', 'show', ...range(), '--to', 'now'], /to.*date such as/],
      ['another period', ['report', 'show', ...range(), '--by', 'year'], /by.*day, week, month/],
    ]))
})

describe('report export', () => {
  test('writes a file that only its owner can read, and overwrites none', async () => {
    const file = join(dataDir, 'march.csv')
    const exporting = ['report', 'export', file, ...range()]
    expect(await florin.json(...exporting)).toEqual({
      file,
      rows: 2,
      from: '2026-01-01',
      to: today,
      timeZone: 'UTC',
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [header, payment, fee] = readFileSync(file, 'utf8').split('\r\n')
    expect(header).toStartWith('\ufefftype,')
    expect(payment).toMatch(/^payment,/)
    expect(fee).toMatch(/^fee,/)
    writeFileSync(file, 'mine')
    await florin.refuses([['an existing file', exporting, /already exists/]])
    expect(readFileSync(file, 'utf8')).toBe('mine')
    await florin.json(...exporting, '--force')
    expect(readFileSync(file, 'utf8')).toStartWith('\ufefftype,')
  })

  test('is refused if the file cannot be created', () =>
    florin.refuses([
      ['no folder', ['report', 'export', '/no/such/folder.csv', ...range()], /ENOENT/],
      ['an end before the start', ['report', 'export', 'x.csv', ...range(), '--to', '2025-01-01'], /before/],
    ]))
})
