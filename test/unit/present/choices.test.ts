import { expect, test } from 'bun:test'
import { makeLooks } from '../../../src/coins/look.ts'
import { registry } from '../../../src/coins/registry.ts'
import type { Attempt } from '../../../src/domain/attempt.ts'
import type { Offers } from '../../../src/operations/payments/list-offers.ts'
import { presentChoices } from '../../../src/present/choose.ts'
import { choosePart } from '../../../views/checkout/choose.ts'
import type { CheckoutModel, Choices, ChoosePart } from '../../../views/checkout/model.ts'
import { english, locales } from '../../../views/locale.ts'

const look = makeLooks(registry)
const german = locales.find(({ tag }) => tag === 'de')!
const usdc = registry.assets.filter(({ ticker }) => ticker === 'USDC').slice(0, 3)
const assets = [
  ...registry.assets.filter(({ ticker, chain }) => ticker !== 'USDC' && chain !== 'lightning').slice(0, 3),
  ...usdc,
]

interface Given {
  names: string[]
  due: bigint
  /** the additional amount on the last network */
  extra: bigint
  last: string | null
  failed: string | null
  locale: typeof english
}

const usual: Given = {
  names: ['Visa', 'Bank', 'Wallet'],
  due: 12_345n,
  extra: 0n,
  last: null,
  failed: null,
  locale: english,
}

/** Methods with the same key and name are the same object, as in catalogues. */
const methods = new Map<string, object>()

function methodOf(key: string, name: string): object {
  const method = methods.get(`${key} ${name}`) ?? { key, name }
  methods.set(`${key} ${name}`, method)
  return method
}

function choicesOf(change: Partial<Given>) {
  const { names, due, extra, last, failed, locale } = { ...usual, ...change }
  const offers = {
    methods: names.map((name, at) => ({ provider: {}, method: methodOf(`key${at}`, name) })),
    assets: assets.map((asset, at) => ({
      asset,
      dueAtomic: (due + (at === assets.length - 1 ? extra : 0n)) * 10n ** BigInt(asset.decimals - 2),
    })),
    providerAway: false,
  } as unknown as Offers
  const attempts = failed === null ? [] : [{ state: 'failed', methodKey: failed } as Attempt]
  return presentChoices(locale, offers, attempts, { look, lastChoice: last })
}

const drawn = (locale: typeof english, choices: Choices, orderId = 'one'): string =>
  choosePart(
    locale,
    { orderId } as CheckoutModel,
    { kind: 'choose', failure: null, canGoBack: false, providerAway: false, choices } as ChoosePart,
  ).toString()

test('choices change with everything that they depend on', () => {
  const before = choicesOf({})
  const changes: Partial<Given>[] = [
    { names: ['Visa', 'Other bank', 'Wallet'] },
    { names: ['Visa'] },
    { due: 12_346n },
    { extra: 1n },
    { last: assets[0]!.id },
    { last: 'key1' },
    { failed: 'key0' },
    { failed: 'key1' },
  ]
  const seen = changes.map(change => JSON.stringify(choicesOf(change)))
  expect(new Set([JSON.stringify(before), ...seen]).size).toBe(changes.length + 1)
  expect(choicesOf({})).toEqual(before)
})

test('each page shows its own amounts', () => {
  const page = drawn(english, choicesOf({}))
  expect(page.match(/>123[.]45 /g)).toHaveLength(4)
  expect(drawn(english, choicesOf({ due: 99_999n }))).toBe(page.replaceAll('123.45', '999.99'))
})

test('a coin whose amount differs between its networks shows that of each network', () => {
  const page = drawn(english, choicesOf({ extra: 1n }))
  expect(page.match(/>123[.]45 USDC</g)).toHaveLength(2)
  expect(page.match(/>123[.]46 USDC</g)).toHaveLength(1)
  // The page shows the other coins, but not the coin of these networks.
  expect(page.match(/>123[.]45 /g)).toHaveLength(5)
})

test('names are escaped, and each character of them is shown', () => {
  const page = drawn(english, choicesOf({ names: ['\ue0009\ue001', 'A\ue000B', '<i>\u0000'] }))
  expect(page).toContain('\ue0009\ue001')
  expect(page).toContain('A\ue000B')
  expect(page).toContain('&lt;i&gt;')
})

test('a part that is drawn once has the language and the order of each page', () => {
  const page = drawn(english, choicesOf({}))
  expect(drawn(english, choicesOf({}), 'two')).toBe(
    page.replaceAll('one?', 'two?').replaceAll('pay/one', 'pay/two'),
  )
  const inGerman = drawn(german, choicesOf({ locale: german }))
  expect(inGerman).toContain(german.texts.page.opensInNewTab)
  expect(inGerman).not.toContain(english.texts.page.opensInNewTab)
  expect(inGerman).toContain('Dauer etwa')
  expect(page).not.toContain('Dauer etwa')
  expect(drawn(english, choicesOf({}))).toBe(page)
})
