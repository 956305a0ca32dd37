import { expect, test } from 'bun:test'
import { makeLooks } from '../../../src/coins/look.ts'
import { registry } from '../../../src/coins/registry.ts'
import type { Attempt } from '../../../src/domain/attempt.ts'
import type { Offers } from '../../../src/operations/payments/list-offers.ts'
import { presentChoices } from '../../../src/present/choose.ts'
import { choosePart } from '../../../views/checkout/choose.ts'
import type { CheckoutModel, ChoosePart } from '../../../views/checkout/model.ts'
import { english, locales } from '../../../views/locale.ts'

const look = makeLooks(registry)
const german = locales.find(({ tag }) => tag === 'de')!
const assets = registry.assets.slice(0, 6)

interface Given {
  names: string[]
  due: bigint
  last: string | null
  failed: string | null
  locale: typeof english
}

const usual: Given = {
  names: ['Visa', 'Bank', 'Wallet'],
  due: 12_345n,
  last: null,
  failed: null,
  locale: english,
}

function choicesOf(change: Partial<Given>) {
  const { names, due, last, failed, locale } = { ...usual, ...change }
  const offers = {
    methods: names.map((name, at) => ({ provider: {}, method: { key: `key${at}`, name } })),
    assets: assets.map(asset => ({ asset, dueAtomic: due * 10n ** BigInt(asset.decimals - 2) })),
    providerAway: false,
  } as unknown as Offers
  const attempts = failed === null ? [] : [{ state: 'failed', methodKey: failed } as Attempt]
  return presentChoices(locale, offers, attempts, { look, lastChoice: last })
}

const drawn = (locale: typeof english, choices: object, orderId = 'one'): string =>
  choosePart(
    locale,
    { orderId } as CheckoutModel,
    {
      kind: 'choose',
      failure: null,
      canGoBack: false,
      providerAway: false,
      choices,
    } as ChoosePart,
  ).toString()

test('the choices that pages share follow everything that they are made of', () => {
  const before = choicesOf({})
  const changes: Partial<Given>[] = [
    { names: ['Visa', 'Other bank', 'Wallet'] },
    { names: ['Visa'] },
    { due: 12_346n },
    { last: assets[0]!.id },
    { last: 'key1' },
    { failed: 'key0' },
    { failed: 'key1' },
  ]
  const seen = changes.map(change => JSON.stringify(choicesOf(change)))
  expect(new Set([JSON.stringify(before), ...seen]).size).toBe(changes.length + 1)
  expect(choicesOf({})).toEqual(before)
  expect(choicesOf({})).toBe(before)
})

test('what is drawn once is drawn in the language and for the order of each page', () => {
  const choices = choicesOf({})
  const page = drawn(english, choices)
  expect(drawn(english, choices, 'two')).toBe(
    page.replaceAll('one?', 'two?').replaceAll('pay/one', 'pay/two'),
  )
  expect(drawn(german, choices)).toContain(german.texts.page.opensInNewTab)
  expect(drawn(german, choices)).not.toContain(english.texts.page.opensInNewTab)
  expect(drawn(english, choices)).toBe(page)
})
