import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findInvoice } from '../../src/operations/invoices/read.ts'
import { givenOrder, givenShop, paidInCash } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { suite } from '../support/suite.ts'
import { runInProcess } from './in-process.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const run = (...args: string[]) => runInProcess({ FLORIN_DATA_DIR: app.dataDir }, ...args)
const seller = { street: 'Hauptstr. 1', postcode: '10115', town: 'Berlin' }
const tax = { country: 'DE', vatId: 'DE136695976', rates: ['DE 19 7', 'FR 20'] }

async function json(...args: string[]) {
  const { stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const folder = newFolder()
const file = (content: unknown): string => {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  writeFileSync(path, JSON.stringify(content))
  return path
}

once(async () => {
  expect((await run('invoice', 'list', '--merchant', shop.id)).stdout).toContain(
    'No invoices. Switch them on',
  )
  await json('merchant', 'set', shop.id, '--tax', file(tax))
  await json('merchant', 'set', shop.id, '--invoices', 'paid', '--seller', file(seller))
  for (const amount of ['119.00', '11.90']) {
    const { orderUUID } = await givenOrder(app, shop, { amount })
    await paidInCash(app, shop, orderUUID)
  }
})

const list = (...more: string[]) => ['invoice', 'list', '--merchant', shop.id, ...more]
const show = (...more: string[]) => ['invoice', 'show', '2026-000001', '--merchant', shop.id, ...more]

describe('florin invoice', () => {
  test('lists invoices, highest number first, and continues below a given one', async () => {
    const numbersOf = async (...more: string[]) =>
      (await json(...list(...more))).items.map(({ number }: { number: string }) => number)
    expect(await numbersOf()).toEqual(['2026-000002', '2026-000001'])
    expect(await numbersOf('--limit', '1')).toEqual(['2026-000002'])
    expect(await numbersOf('--before', '2026-000002')).toEqual(['2026-000001'])
    expect((await run(...list())).stdout).toMatch(
      /^2026-000001 +invoice +2026-03-01 +119.00 USD +Sam Buyer$/m,
    )
  })

  test.each([
    ['json', /"vatId": "DE136695976"/],
    ['html', /<h1[^>]*>.*Invoice 2026-000001/s],
    ['cii', /^<\?xml.*<rsm:CrossIndustryInvoice.*<ram:GrandTotalAmount>119.00</s],
    ['ubl', /^<\?xml.*<Invoice .*<cbc:PayableAmount currencyID="USD">0.00</s],
  ])('prints an invoice as %s', async (format, words) => {
    const { stdout, stderr } = await run(...show('--format', format))
    expect([stderr, stdout]).toEqual(['', expect.stringMatching(words)])
  })

  test('prints the e-invoice that was stored, and a PDF', async () => {
    const { xml } = await findInvoice(app.context, shop.id, '2026-000001')
    expect((await json(...show('--format', 'cii'))).text).toBe(xml)
    const { base64 } = await json(...show('--format', 'pdf'))
    expect(Buffer.from(base64, 'base64').subarray(0, 8).toString()).toBe('%PDF-1.7')
  })

  test.each([
    ['another format', () => show('--format', 'docx'), /must be one of json, html, pdf, cii, ubl/],
    [
      'a number that nobody has',
      () => ['invoice', 'show', '2026-000009', '--merchant', shop.id],
      /No invoice/,
    ],
    ['no number at all', () => ['invoice', 'show', 'X', '--merchant', shop.id], /No invoice has this number/],
    [
      'another shop',
      () => ['invoice', 'show', '2026-000001', '--merchant', crypto.randomUUID()],
      /No invoice/,
    ],
    ['too many', () => list('--limit', '501'), /limit.*from 1 to 500/],
    ['a start that is no number', () => list('--before', '7'), /before.*such as 2026-000042/],
  ])('refuses %s', async (_, args, words) => {
    const { exitCode, stdout, stderr } = await run(...args())
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(words)])
  })
})

describe('the tax of a shop', () => {
  test('is shown, and summed up by country and rate', async () => {
    expect((await run('merchant', 'show', shop.id)).stdout).toMatch(/^tax +\{"country":"DE"/m)
    const days = ['--merchant', shop.id, '--from', '2026-03-01', '--to', '2026-03-31', '--currency', 'USD']
    expect(await json('report', 'tax', ...days)).toMatchObject({
      items: [{ country: 'DE', category: 'S', rate: '19', net: '110.00', tax: '20.90', gross: '130.90' }],
      total: { net: '110.00', tax: '20.90', gross: '130.90' },
      untaxed: '0.00',
    })
    const { stdout } = await run('report', 'tax', ...days)
    expect(stdout).toMatch(/^DE +S +19% +110.00 +20.90 +130.90$/m)
    expect((await run('report', 'tax', ...days, '--currency', 'XYZ')).stderr).toMatch(/currency.*ISO 4217/)
  })

  test.each<[what: string, content: unknown, words: RegExp]>([
    ['no object', ['DE'], /tax.*readable file with a JSON object/],
    ['a name that nobody knows', { ...tax, rate: 19 }, /tax.*must have no rate: country/],
    ['rates that are numbers', { ...tax, rates: [19] }, /tax.*must have a list of texts as rates/],
    ['no rate of the country', { ...tax, rates: ['FR 20'] }, /rates.*country of the shop/],
    ['a number with wrong check digits', { ...tax, vatId: 'DE136695977' }, /vatId/],
  ])('is refused with %s', async (_, content, words) => {
    const { exitCode, stderr } = await run('merchant', 'set', shop.id, '--tax', file(content))
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  test('is switched off with an empty name', async () => {
    const other = await givenShop(app)
    await json('merchant', 'set', other.id, '--tax', file(tax))
    expect((await json('merchant', 'set', other.id, '--tax', '')).tax).toBeNull()
  })
})
