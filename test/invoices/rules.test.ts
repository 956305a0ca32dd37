import { describe, expect, test } from 'bun:test'
import { ciiOf } from '../../src/invoices/cii.ts'
import { ublOf } from '../../src/invoices/ubl.ts'
import { faultsOf, rulesFor } from './check.ts'
import { madeInvoices } from './made-invoices.ts'

const made = madeInvoices(548, 40)

const categoriesIn = (invoices: typeof made) =>
  [...new Set(invoices.flatMap(({ lines }) => lines.map(({ category }) => category)))].sort()

test('the invoices of these tests have every category of tax, credit notes, and both profiles', () => {
  expect(categoriesIn(made)).toEqual(['AE', 'E', 'G', 'K', 'O', 'S', 'Z'])
  const isXRechnung = (one: (typeof made)[number]) => rulesFor('CII', ciiOf(one)).length > 1
  expect(categoriesIn(made.filter(isXRechnung))).toEqual(['AE', 'E', 'K', 'O', 'S', 'Z'])
  expect(new Set(made.map(({ kind }) => kind)).size).toBe(2)
  expect(new Set(made.map(content => rulesFor('CII', ciiOf(content)).length))).toEqual(new Set([1, 2]))
})

describe('the official rules find no fault', () => {
  test.each([
    ['CII', ciiOf, made],
    ['UBL', ublOf, made.filter((_, at) => at % 2 === 0)],
  ] as const)('in %s', (syntax, write, invoices) => {
    const faults = invoices.flatMap(content => {
      const xml = write(content)
      return rulesFor(syntax, xml).flatMap(rules =>
        faultsOf(rules, xml).map(fault => `${content.number} ${rules}: ${fault}`),
      )
    })
    expect(faults).toEqual([])
  })
})

describe('the official rules find', () => {
  const [content] = made.filter(
    one => one.kind === 'invoice' && one.seller.vatId !== null && one.currency === 'EUR',
  )
  if (!content) throw new Error('one of the invoices is in euros')
  test.each([
    ['a sum that is wrong by a cent', { due: '0.01', paid: content.gross }, 'BR-CO-16'],
    ['a missing number', { number: '' }, 'BR-02'],
    ['a country that does not exist', { seller: { ...content.seller, country: 'XX' } }, 'BR-CL-14'],
  ])('%s', (_, change, rule) => {
    for (const [syntax, write] of [
      ['CII', ciiOf],
      ['UBL', ublOf],
    ] as const)
      expect(faultsOf(`EN16931-${syntax}`, write({ ...content, ...change })).join()).toContain(rule)
  })
})
