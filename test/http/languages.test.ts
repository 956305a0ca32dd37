import { describe, expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { givenOrder, givenProduct, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'

const { app, once } = suite({ start: () => startApp({ FLORIN_CHECKOUT_URL: 'https://pay.example' }) })
let pay: string
let product: string
const shop = once(() => givenShop(app))
once(async () => {
  pay = `/pay/${(await givenOrder(app, shop)).orderUUID}`
  product = `/checkout/${(await givenProduct(app, shop)).id}`
})

const open = (path: string, headers: Record<string, string> = {}) =>
  app.call('GET', path, { headers: { accept: 'text/html', ...headers } })

const languageOf = (text: string) => /<html lang="([^"]+)" dir="([^"]+)">/.exec(text)?.slice(1).join(' ')

const preferences: [header: string, language: string][] = [
  ['', 'en ltr'],
  ['de', 'de ltr'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de ltr'],
  ['DE-ch', 'de ltr'],
  ['ar-EG', 'ar rtl'],
  ['en-GB,de', 'en ltr'],
  ['zh', 'zh-Hans ltr'],
  ['zh-CN', 'zh-Hans ltr'],
  ['zh-SG', 'zh-Hans ltr'],
  ['zh-TW', 'zh-Hant ltr'],
  ['zh-HK', 'zh-Hant ltr'],
  ['zh-Hant-HK', 'zh-Hant ltr'],
  ['zh-Hant', 'zh-Hant ltr'],
  ['pt', 'pt-BR ltr'],
  ['pt-PT', 'pt-BR ltr'],
  ['he-IL', 'he rtl'],
  ['iw', 'he rtl'],
  ['in', 'id ltr'],
  ['uk_UA', 'uk ltr'],
  ['es-419', 'es ltr'],
  ['en;q=0.5, de;q=0.8', 'de ltr'],
  ['de;q=0, en', 'en ltr'],
  ['xx, de;q=0.3', 'de ltr'],
  ['xx', 'en ltr'],
  ['*', 'en ltr'],
  ['de;q=x', 'en ltr'],
  [';;,,=,q=1', 'en ltr'],
  [`${'x,'.repeat(4000)}de`, 'en ltr'],
]

describe('the language of a page', () => {
  test.each(preferences)('for a browser that prefers "%.40s" is %s', async (header, language) => {
    for (const path of [pay, product, '/pay/nonsense']) {
      expect(languageOf((await open(path, { 'accept-language': header })).text)).toBe(language)
    }
  })

  test('is named in headers, which also name what it depends on', async () => {
    for (const path of [pay, product, '/nope']) {
      const { headers } = await open(path, { 'accept-language': 'de' })
      expect(headers.get('content-language')).toBe('de')
      const vary = (headers.get('vary') ?? '').split(', ')
      expect(vary).toEqual(expect.arrayContaining(['Accept-Language', 'Cookie']))
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('is remembered in a cookie when the URL asks for it, and only then', async () => {
    for (const path of [pay, product, '/pay/nonsense']) {
      const chosen = await open(`${path}?lang=ar`, { 'accept-language': 'de' })
      expect(languageOf(chosen.text)).toBe('ar rtl')
      const cookie = chosen.headers.get('set-cookie')!
      const attributes = ['Path=/', 'Max-Age=31536000', 'HttpOnly', 'SameSite=Lax', 'Secure']
      expect(cookie.split('; ')).toEqual(['florin_lang=ar', ...attributes])
      const again = await open(path, { 'accept-language': 'de', cookie: `a=b; ${cookie.split(';')[0]}; c=d` })
      expect([languageOf(again.text), again.headers.get('set-cookie')]).toEqual(['ar rtl', null])
    }
  })

  test.each(['xx', 'e', '../de', 'de%0d%0aset-cookie:x', '"><script>', 'constructor', '__proto__'])(
    'ignores the unknown language %s',
    async lang => {
      const { headers, status, text } = await open(`${pay}?lang=${lang}`, {
        cookie: `florin_lang=${lang}`,
        'accept-language': 'de',
      })
      expect([status, languageOf(text), headers.get('set-cookie')]).toEqual([200, 'de ltr', null])
    },
  )

  test('is offered for each language, also on the page of an error', async () => {
    for (const [path, url] of [
      [pay, `${pay}?lang=`],
      [product, `${product}?lang=`],
      ['/pay/nonsense', '?lang='],
    ] as const) {
      const { text } = await open(path)
      for (const [tag, name] of [
        ['en', 'English'],
        ['de', 'Deutsch'],
        ['ar', 'العربية'],
        ['zh-Hant', '繁體中文'],
      ]) {
        expect(text).toMatch(
          new RegExp(`href="${url.replaceAll('?', '[?]')}${tag}" lang="${tag}"[^>]*>${name}<`),
        )
      }
    }
  })

  test('stays when the page updates itself, whatever the browser prefers', async () => {
    const { text } = await open(pay, { cookie: 'florin_lang=de' })
    const status = /hx-get="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    const part = await open(status.replace(/seen=.*/, 'seen=x'), {
      'hx-request': 'true',
      'accept-language': 'ar',
    })
    expect(part.text).toContain('Zahlungsart auswählen')
    expect(part.headers.get('set-cookie')).toBeNull()
    expect((await open(status, { 'hx-request': 'true', 'accept-language': 'ar' })).status).toBe(204)
  })

  test('keeps the part of the page that the buyer was viewing', async () => {
    const { text } = await open(`${pay}?choose=0`)
    expect(text).toContain(`href="${pay}?choose=0&amp;lang=de"`)
  })

  test('of a form’s answer is that of the page', async () => {
    const headers = { accept: 'text/html', cookie: 'florin_lang=de' }
    const answer = await app.call('POST', product, { form: { email: 'x' }, headers })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Geben Sie eine E-Mail-Adresse ein')
    const unknown = await app.call('POST', `${pay}/crypto`, { form: { asset: 'nope' }, headers })
    expect([unknown.status, languageOf(unknown.text)]).toEqual([422, 'de ltr'])
    expect(unknown.text).toContain(`href="${pay}?lang=ar"`)
  })

  test('is English for scripts', async () => {
    const { headers, json } = await app.call('GET', '/v1/orders', { headers: { 'accept-language': 'de' } })
    expect(json.error.message).toStartWith('Missing API key')
    expect(headers.get('content-language')).toBeNull()
  })
})

test.each([
  ['fr', '25,00'],
  ['de', '25,00'],
  ['ar', '25.00'],
])('an amount does not break before its decimals: %s', async (language, amount) => {
  const heading = /<h1 class="amount.*<\/h1>/.exec((await open(`${pay}?lang=${language}`)).text)?.[0]
  expect(heading).toContain(amount)
})

test('a long amount breaks between groups of digits, also where two digits are a group', async () => {
  const { orderUUID } = await givenOrder(app, shop, { amount: '1234567.50', currency: 'INR' })
  const { text } = await open(`/pay/${orderUUID}`, { 'accept-language': 'hi-IN,hi' })
  expect(/<h1 class="amount.*<\/h1>/.exec(text)?.[0]).toContain('12,<wbr>34,<wbr>567.50')
})
