import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { peopleLanguages } from '../../../src/domain/user.ts'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { dashboardLanguages } from '../../../views/dashboard/locale.ts'
import { type App, startApp } from '../../support/app.ts'
import { type Person, signInAs } from '../../support/dashboard.ts'
import { givenShop, type Shop } from '../../support/given.ts'

const ACCOUNT = '/dashboard/account'
const HOUR_MS = 3600_000
const OTHER_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

let app: App
let shop: Shop
let person: Person
let mails: { to: string; subject: string; text: string }[] = []

beforeAll(async () => {
  app = await startApp()
  app.context.channels.mail = {
    name: 'mail',
    async send({ subject, text }, { email }) {
      mails.push({ to: email, subject, text })
      return null
    },
  }
  shop = await givenShop(app)
})
beforeEach(async () => {
  person = await signInAs(app, 'owner', shop.id)
  await app.jobs.settle()
  await app.advance(HOUR_MS)
  mails = []
})
afterAll(() => app.close())

const languageOf = (text: string): string | undefined => /<html lang="([a-z]+)"/.exec(text)?.[1]
const shownTo = async (one: Person, headers = {}, path = '/dashboard') =>
  languageOf((await app.call('GET', path, { headers: { cookie: one.cookie, ...headers } })).text)
const choose = (language: string) => person.post(`${ACCOUNT}/language`, { language })

test('the domain and the pages know the same languages', () => {
  expect([...peopleLanguages]).toEqual([...dashboardLanguages])
})

test('people choose the language of all their browsers, and a link changes it', async () => {
  expect(await shownTo(person)).toBe('en')
  const saved = await choose('de')
  expect([saved.status, saved.headers.get('location')]).toEqual([303, `${ACCOUNT}?done=language&lang=de`])
  const page = await person.get(`${ACCOUNT}?done=language&lang=de`)
  expect(page.text).toContain('Die Sprache wurde gespeichert.')
  expect(page.text).toMatch(/<option value="de"\s+selected/)
  expect(await shownTo(person, { 'accept-language': 'en' })).toBe('de')
  expect(await shownTo(person, { cookie: `${person.cookie}; florin_lang=en` })).toBe('de')
  expect(await shownTo(person, {}, '/dashboard?lang=en')).toBe('en')
  expect(await shownTo(person, { 'accept-language': 'de' })).toBe('en')
  const refused = await choose('fr')
  expect(refused.status).toBe(400)
  expect(await shownTo(person)).toBe('en')
})

test('a browser that speaks another language gets that of the shop', async () => {
  await changeMerchant(app.context, shop.id, { language: 'de' })
  expect(await shownTo(person, { 'accept-language': 'fr' })).toBe('de')
  const other = await signInAs(app, 'viewer', shop.id)
  expect(await shownTo(other, { 'accept-language': 'en' })).toBe('en')
  const french = await signInAs(app, 'viewer', shop.id)
  expect(await shownTo(french, {}, '/dashboard?lang=fr')).toBe('de')
  await changeMerchant(app.context, shop.id, { language: 'en' })
})

test('owners choose the language of mails to the shop, such as that of a changed payout wallet', async () => {
  const page = await person.get('/dashboard/settings')
  const version = /name="version" value="([^"]+)"/.exec(page.text)![1]!
  expect((await person.upload('/dashboard/settings', { version, language: 'fr' })).status).toBe(400)
  expect((await person.upload('/dashboard/settings', { version, language: 'de' })).status).toBe(303)
  expect((await person.get('/dashboard/settings')).text).toMatch(/<option value="de"\s+selected/)
  await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { evm: OTHER_WALLET } } })
  await app.jobs.settle()
  expect(mails).toMatchObject([
    { to: shop.email, subject: `${shop.name}: Eine Auszahlungs-Wallet wurde geändert` },
  ])
  expect(mails[0]!.text).toContain(`zu ${OTHER_WALLET}`)
  expect(mails[0]!.text).toContain('von dem API-Schlüssel')
  expect(mails[0]!.text).toMatch(/Im Dashboard: \S+\/dashboard\/payouts$/)
  expect(mails[0]!.text).not.toContain('florin ')
})

test('the mail about a new login is in the language of the person', async () => {
  await choose('de')
  const headers = { origin: 'http://localhost', host: 'localhost', 'user-agent': 'Opera' }
  const form = { email: person.email, password: 'correct horse battery' }
  expect((await app.call('POST', '/dashboard/sign-in', { form, headers })).status).toBe(303)
  expect(mails).toMatchObject([{ to: person.email, subject: 'Neue Anmeldung an Ihrem Dashboard' }])
  expect(mails[0]!.text).toContain('Wenn Sie das waren, ist nichts zu tun.')
  expect(mails[0]!.text).toMatch(/Ihr Konto: \S+\/dashboard\/account$/)
})
