import { expect, test } from 'bun:test'
import { peopleLanguages } from '../../../src/domain/user.ts'
import { changeMerchant } from '../../../src/operations/merchants/change.ts'
import { dashboardLanguages } from '../../../views/dashboard/locale.ts'
import { type Person, proving, signInAs } from '../../support/dashboard.ts'
import { givenOrder, givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const ACCOUNT = '/dashboard/account'
const HOUR_MS = 3600_000
const OTHER_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

const { app, once, each } = suite()
let mails: { to: string; subject: string; text: string }[] = []
once(async () => {
  app.context.channels.mail = {
    name: 'mail',
    async send({ subject, text }, { email }) {
      mails.push({ to: email, subject, text })
      return null
    },
  }
})
const shop = once(() => givenShop(app))
const person = each(async () => proving(await signInAs(app, 'owner', shop.id)))
each(async () => {
  await app.jobs.settle()
  await app.advance(HOUR_MS)
  mails = []
})

const languageOf = (text: string): string | undefined => /<html lang="([a-z]+)"/.exec(text)?.[1]
const shownTo = async (one: Person, headers = {}, path = '/dashboard') =>
  languageOf((await app.call('GET', path, { headers: { cookie: one.cookie, ...headers } })).text)
const choose = (language: string) => person.post(`${ACCOUNT}/language`, { language })

test('the languages that people can choose are those of the pages', () => {
  expect([...peopleLanguages]).toEqual([...dashboardLanguages])
})

test('people choose their language, and a link changes it in one browser', async () => {
  expect(await shownTo(person)).toBe('en')
  const saved = await choose('de')
  expect([saved.status, saved.headers.get('location')]).toEqual([303, `${ACCOUNT}?done=language&lang=de`])
  const page = await person.get(`${ACCOUNT}?done=language&lang=de`)
  expect(page.text).toContain('Die Sprache wurde gespeichert.')
  expect(page.text).toMatch(/<option value="de"\s+selected/)
  expect(await shownTo(person, { 'accept-language': 'en' })).toBe('de')
  expect(await shownTo(person, {}, '/dashboard?lang=en')).toBe('en')
  expect(await shownTo(person, { cookie: `${person.cookie}; florin_lang=en` })).toBe('en')
  expect((await person.get(`${ACCOUNT}?lang=en`)).text).toMatch(/<option value="de"\s+selected/)
  const refused = await choose('fr')
  expect(refused.status).toBe(400)
  expect(await shownTo(person)).toBe('de')
})

test('a browser in an unsupported language gets that of the shop', async () => {
  await changeMerchant(app.context, shop.id, { language: 'de' })
  expect(await shownTo(person, { 'accept-language': 'fr' })).toBe('de')
  const other = await signInAs(app, 'viewer', shop.id)
  expect(await shownTo(other, { 'accept-language': 'en' })).toBe('en')
  const french = await signInAs(app, 'viewer', shop.id)
  expect(await shownTo(french, {}, '/dashboard?lang=fr')).toBe('de')
  await changeMerchant(app.context, shop.id, { language: 'en' })
})

test('owners choose the language of mails to the shop, such as about a changed payout wallet', async () => {
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

test('the history of an order and the audit log are in the language of the page', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await app.context.storage.write(async tables => {
    const row = { merchantId: shop.id, orderId: orderUUID, createdAt: app.time.now }
    await tables.notifications.insert({
      ...{ ...row, id: app.context.ids.uuid(), kind: 'refund_failed' },
      facts: { about: 'refund_refused', amount: '5.00 EUR' },
    })
    await tables.audit.insert({
      ...{
        id: app.context.ids.uuid(),
        merchantId: shop.id,
        at: app.time.now,
        requestId: null,
        client: null,
        actor: 'cli',
      },
      ...{
        action: 'unmatched.accepted',
        subject: `order:${orderUUID}`,
        before: null,
        after: { reason: 'x' },
      },
    })
  })
  const said = {
    en: [
      'An unmatched payment was accepted, by the command line',
      'The provider refused the refund of 5.00 EUR. Pay it back in another way.',
      'An unmatched payment was accepted<br>',
    ],
    de: [
      'Eine nicht zugeordnete Zahlung wurde angenommen, von der Kommandozeile',
      'Der Anbieter hat die Erstattung von 5,00 EUR abgelehnt. Zahlen Sie den Betrag auf anderem Weg zurück.',
      'Eine nicht zugeordnete Zahlung wurde angenommen<br>',
    ],
  }
  for (const language of dashboardLanguages) {
    const [accepted, refused, changed] = said[language]
    const page = (await person.get(`/dashboard/orders/${orderUUID}?lang=${language}`)).text
    expect(page).toContain(accepted!)
    expect(page).toContain(refused!)
    expect(page).not.toContain('unmatched.accepted')
    expect((await person.get(`/dashboard/audit?lang=${language}`)).text).toContain(changed!)
    const overview = (await person.get(`/dashboard?lang=${language}`)).text
    expect(overview).toContain(refused!)
    expect(overview).toContain(`href="/dashboard/orders/${orderUUID}"`)
  }
})
