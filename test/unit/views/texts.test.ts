import { expect, test } from 'bun:test'
import { html } from '../../../views/html.ts'
import { english, locales } from '../../../views/locale.ts'
import { messagesOf, plural, select } from '../../../views/texts/message.ts'
import type { Texts } from '../../../views/texts/types.ts'
import { usedTexts } from '../../support/text-uses.ts'

const { end, page } = english.texts

test('a missing or surplus text is a type error, and so is a wrong value', () => {
  const { cancelled: _, ...without } = end
  // @ts-expect-error a text is missing
  const missing: Texts['end'] = without
  // @ts-expect-error a text that English does not have
  const surplus: Texts['end'] = { ...end, more: '' }
  // @ts-expect-error a text that needs values is not a function
  const constant: Texts['end'] = { ...end, paidShop: '' }
  // @ts-expect-error the value has another name
  const unnamed = end.paidShop({ name: 'Corner Coffee' })
  expect([missing, surplus, constant, unnamed]).toHaveLength(4)
})

test('the use of a text is recognized by the name of its section', () => {
  const catalogue = { page: { title: '', links: { one: '', two: '' } }, mail: { title: '', end: '' } }
  const used = (source: string) => [...usedTexts(catalogue, [source])].sort()
  expect(used('texts.page.title')).toEqual(['page.title'])
  expect(used('const { mail: texts } = locale.texts\ntexts.title')).toEqual(['mail.title'])
  expect(used('({ texts: { page, mail } }: Locale) => mail.end')).toEqual(['mail.end'])
  expect(used('const { title, links } = locale.texts.page\nlinks.one')).toEqual([
    'page.links.one',
    'page.title',
  ])
  expect(used('locale.texts.page.links[name]')).toEqual(['page.links.one', 'page.links.two'])
  expect(used('order.title, page.title, mail.end')).toEqual([])
})

test('a number gets the plural form of its language, or a form of its own', () => {
  const forms = { one: () => 'one', other: () => 'other' }
  expect([0, 1, 2, 21].map(count => plural('en', count, forms))).toEqual(['other', 'one', 'other', 'other'])
  expect(plural('en', 0, { ...forms, '=0': () => 'none' })).toBe('none')
  const names = ['zero', 'one', 'two', 'few', 'many'] as const
  const all = Object.fromEntries(names.map(name => [name, () => name]))
  const arabic = (count: number) => plural('ar', count, { ...all, other: () => 'other' })
  expect([0, 1, 2, 3, 11, 100].map(arabic)).toEqual(['zero', 'one', 'two', 'few', 'many', 'other'])
})

test('a value selects its form', () => {
  const forms = { true: () => 'more', other: () => 'all' }
  expect([true, false].map(isMore => select(isMore, forms))).toEqual(['more', 'all'])
})

test('a text is plain for mails, and escaped with its values for pages', () => {
  const message = messagesOf('ltr')
  const text = message<{ shop: string }>((v, t) => t`"Go" to ${v.shop}.`)
  expect(text({ shop: 'B & C' })).toBe('"Go" to B & C.')
  expect(text.html({ shop: 'B & C' }).toString()).toBe('&quot;Go&quot; to B &amp; C.')
  const link = html`<a href="/x">here</a>`
  expect(text.html({ shop: link }).toString()).toBe('&quot;Go&quot; to <a href="/x">here</a>.')
})

test('a name in the other direction is isolated from its sentence', () => {
  expect(page.contact({ shop: 'Corner Coffee' })).toBe('Contact Corner Coffee')
  expect(page.contact({ shop: 'متجر' })).toBe('Contact \u2068متجر\u2069')
  const { texts } = locales.find(({ tag }) => tag === 'he')!
  const link = html`<b>Shop</b>`
  expect(texts.page.contact.html({ shop: link }).toString()).toContain('\u2068<b>Shop</b>\u2069')
  expect(texts.choose.networks({ count: 5 })).not.toContain('\u2068')
})

test('a text is the same for mails and pages in every language', () => {
  const values = { coins: '1 <b>', value: "'2'" }
  for (const { texts } of locales) {
    const { lateWorth } = texts.notices.received
    expect(lateWorth.html(values).toString()).toBe(html`${lateWorth(values)}`.toString())
  }
})

/** Matches "safe" in each language. */
const safe: Record<string, RegExp> = {
  en: /\bsafe/i,
  de: /\bsicher/i,
  fr: /sécurité|\bsûr/i,
  es: /\ba salvo|\bsegur/i,
  'pt-BR': /\bsegur/i,
  it: /\bsicur|al sicuro/i,
  nl: /\bveilig/i,
  pl: /bezpiecz/i,
  tr: /güven/i,
  uk: /безпе[кч]/i,
  ru: /безопас/i,
  ar: /آمن|مأمون/,
  he: /בטוח/,
  hi: /सुरक्षित/,
  id: /\baman\b/i,
  vi: /an toàn/i,
  th: /ปลอดภัย/,
  ja: /安全/,
  ko: /안전/,
  'zh-Hans': /安全/,
  'zh-Hant': /安全/,
}

test.each(locales.map(({ tag }) => tag))('no page promises that money is safe: %s', async tag => {
  const texts = await Bun.file(`${import.meta.dir}/../../../views/texts/${tag}.json`).text()
  expect(texts.split('\n').filter(line => safe[tag]!.test(line))).toEqual([])
})
