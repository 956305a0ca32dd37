import { expect, test } from 'bun:test'
import { NAME_MAX } from '../../../src/domain/merchant.ts'
import { changeWallet, getWallet } from '../../../src/operations/addresses/wallet.ts'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { getMerchant } from '../../../src/operations/merchants/read.ts'
import { PASSWORD, signInAs } from '../../support/dashboard.ts'
import { EVM_WALLET } from '../../support/given.ts'
import { pngOf } from '../../support/make-png.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite()
let merchantId = ''
once(async () => {
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
})
const owner = once(() => signInAs(app, 'owner', merchantId))

const values = { name: 'Müller & Söhne', supportEmail: 'help@shop.example', returnUrl: '' }

test('an owner changes what buyers see, and the audit log names them', async () => {
  const saved = await owner.upload('/dashboard/settings', values)
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/settings?saved'])
  expect(await getMerchant(app.context, merchantId)).toMatchObject({
    name: 'Müller & Söhne',
    returnUrl: null,
  })
  const page = await owner.get('/dashboard/settings?saved')
  expect(page.text).toContain('Müller &amp; Söhne')
  const [entry] = await listAudit(app.context, merchantId, 1)
  expect(entry).toMatchObject({ actor: `user:${owner.userId}`, action: 'merchant.changed' })
})

test('a refused form is shown again with the entered values and the error', async () => {
  const answer = await owner.upload('/dashboard/settings', { ...values, name: '  ', supportEmail: 'nobody' })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('value="nobody"')
  expect(answer.text).toContain('aria-invalid')
  const url = await owner.upload('/dashboard/settings', { ...values, returnUrl: 'http://10.0.0.1/' })
  expect(url.text).toContain('public address that begins with https://')
  expect(await getMerchant(app.context, merchantId)).toMatchObject({
    name: 'Müller & Söhne',
    returnUrl: null,
  })
})

test('ten minutes after signing in, the form has a field for the password, and saves a logo with it', async () => {
  const form = async () => (await owner.get('/dashboard/settings')).text
  expect(await form()).not.toContain('name="proofPassword"')
  app.time.now += 10 * 60_000
  expect(await form()).toContain('name="proofPassword"')
  const change = { ...values, name: 'Renamed', file: pngOf(64, 64) }
  for (const proofPassword of ['', 'not my password']) {
    const refused = await owner.upload('/dashboard/settings', { ...change, proofPassword })
    expect([refused.status, refused.text.includes('value="Renamed"')]).toEqual([401, true])
    expect(refused.text).toContain(proofPassword ? 'The password is wrong.' : 'Enter your password.')
    expect((await getMerchant(app.context, merchantId)).name).toBe(values.name)
  }
  const saved = await owner.upload('/dashboard/settings', { ...change, proofPassword: PASSWORD })
  expect(saved.status).toBe(303)
  const shop = await getMerchant(app.context, merchantId)
  expect([shop.name, shop.logo !== null]).toEqual(['Renamed', true])
  await owner.upload('/dashboard/settings', { ...values, removeLogo: 'yes' })
})

test('the time zone of the settings is that of reports, and an unknown one is refused', async () => {
  const wrong = await owner.upload('/dashboard/settings', { ...values, timeZone: 'Mars/Olympus' })
  expect([wrong.status, wrong.text.includes('There is no such time zone.')]).toEqual([400, true])
  expect((await getMerchant(app.context, merchantId)).timeZone).toBe('UTC')
  const saved = await owner.upload('/dashboard/settings', { ...values, timeZone: 'Europe/Berlin' })
  expect(saved.status).toBe(303)
  expect((await owner.get('/dashboard/settings')).text).toContain('<option selected>Europe/Berlin</option>')
  expect((await owner.get('/dashboard/reports')).status).toBe(200)
  const zone = 'Times are in the time zone of the shop: Europe/Berlin.'
  const change = '<a href="/dashboard/settings#timeZone">Change it</a>'
  const viewer = await signInAs(app, 'viewer', merchantId)
  expect((await owner.get('/dashboard/account')).text).toContain(`${zone} ${change}`)
  const { text } = await viewer.get('/dashboard/account')
  expect([text.includes(zone), text.includes(change)]).toEqual([true, false])
  const orders = (await owner.get('/dashboard/orders/new')).text
  expect(orders).toContain('<option value="JPY">JPY – Japanese Yen</option>')
  const german = await owner.get('/dashboard/orders/new?lang=de')
  expect(german.text).toContain('>JPY – Japanischer Yen</option>')
  await owner.get('/dashboard?lang=en')
})

test('new orders and products start with the currency of the shop', async () => {
  const currencyIn = (text: string) => /<option value="([A-Z]{3})" selected>/.exec(text)?.[1]
  const starts = async () =>
    Promise.all(
      ['orders/new', 'products/new'].map(async at => currencyIn((await owner.get(`/dashboard/${at}`)).text)),
    )
  expect(await starts()).toEqual(['USD', 'USD'])
  expect((await owner.upload('/dashboard/settings', { ...values, currency: ' chf ' })).status).toBe(303)
  expect(await starts()).toEqual(['CHF', 'CHF'])
  expect(currencyIn((await owner.get('/dashboard/settings')).text)).toBe('CHF')
  expect((await owner.upload('/dashboard/settings', { ...values, currency: '' })).status).toBe(303)
  expect(await starts()).toEqual(['USD', 'USD'])
})

test('an owner switches coins on and off, sees what buyers can use, and one method stays', async () => {
  const wallets = () => getWallet(app.context, merchantId)
  const page = await owner.get('/dashboard/settings')
  expect(page.text).toContain('Stop taking crypto')
  expect(page.text).toContain('Cards and banks pay out to your wallet')
  const last = await owner.post('/dashboard/settings/crypto', { offered: 'no' })
  expect([last.status, last.text.includes('Crypto is the only way to pay you')]).toEqual([409, true])
  expect((await wallets()).includeCrypto).toBe(true)
  await changeWallet(app.context, merchantId, { payoutWallet: EVM_WALLET })
  expect((await owner.post('/dashboard/settings/crypto', { offered: 'no' })).status).toBe(303)
  expect((await wallets()).includeCrypto).toBe(false)
  expect((await owner.get('/dashboard/settings')).text).toContain('Take crypto')
  const [entry] = await listAudit(app.context, merchantId, 1)
  expect(entry).toMatchObject({ action: 'wallet.changed', after: { includeCrypto: false } })
  expect((await owner.post('/dashboard/settings/crypto', { offered: 'yes' })).status).toBe(303)
  expect((await wallets()).includeCrypto).toBe(true)
})

test('the maximum length of a shop’s name is that of the form’s field', async () => {
  const wrong = await owner.upload('/dashboard/settings', { ...values, name: 'x'.repeat(NAME_MAX + 1) })
  expect([wrong.status, wrong.text.includes(`at most ${NAME_MAX} characters`)]).toEqual([400, true])
  const saved = await owner.upload('/dashboard/settings', { ...values, name: 'x'.repeat(NAME_MAX) })
  expect(saved.status).toBe(303)
  await owner.upload('/dashboard/settings', values)
})

test('an owner changes looks, links and rules, and nothing that is not in the form', async () => {
  const before = await getMerchant(app.context, merchantId)
  const saved = await owner.upload('/dashboard/settings', {
    ...values,
    color: '#AA3300',
    supportUrl: 'https://shop.example/help',
    termsUrl: 'https://shop.example/terms',
    privacyUrl: '',
    searchable: 'no',
    receipts: 'yes',
    paymentMails: 'no',
    late: 'ask',
    tolerance: '1,5',
    feePercent: '0.01',
    status: 'suspended',
    cryptoFirst: 'provider',
  })
  expect(saved.status).toBe(303)
  expect(await getMerchant(app.context, merchantId)).toEqual({
    ...before,
    color: '#aa3300',
    supportUrl: 'https://shop.example/help',
    termsUrl: 'https://shop.example/terms',
    searchable: false,
    receipts: true,
    paymentMails: false,
    late: 'ask',
    tolerance: '1.5',
    updatedAt: expect.any(Number),
  })
  const page = await owner.get('/dashboard/settings')
  expect(page.text).toContain('fill="#aa3300"')
  expect(page.text).toContain('Its operator can enter a mail server')
  const same = await owner.upload('/dashboard/settings', { ...values, paymentMails: 'same' })
  expect(same.status).toBe(303)
  expect((await getMerchant(app.context, merchantId)).paymentMails).toBeNull()
  // A form without a field leaves that setting as it is.
  await owner.upload('/dashboard/settings', values)
  expect((await getMerchant(app.context, merchantId)).searchable).toBe(false)
})

test.each([
  ['color', 'red'],
  ['tolerance', '6'],
  ['currency', 'XAU'],
  ['supportUrl', 'http://10.0.0.1/'],
  ['termsUrl', 'javascript:alert(1)'],
  ['privacyUrl', 'https://127.0.0.1/'],
])('a wrong %s in the settings is marked, and nothing is stored', async (name, value) => {
  const before = await getMerchant(app.context, merchantId)
  const answer = await owner.upload('/dashboard/settings', { ...values, name: 'Other', [name]: value })
  expect([400, 422]).toContain(answer.status)
  expect(answer.text).toContain(`id="${name}-problem"`)
  const shown = name === 'currency' ? `<option selected>${value}<` : `value="${value}"`
  expect(answer.text).toContain(shown)
  expect(await getMerchant(app.context, merchantId)).toEqual(before)
})

test('a logo is uploaded, shown, refused if it is too large, and removed', async () => {
  const upload = (logo: Uint8Array) => owner.upload('/dashboard/settings', { ...values, file: logo })
  expect((await upload(pngOf(64, 64))).status).toBe(303)
  const { logo } = await getMerchant(app.context, merchantId)
  expect(logo).toMatchObject({ width: 64, height: 64 })
  expect((await owner.get('/dashboard/settings')).text).toContain(`href="/images/${logo!.id}"`)
  for (const wrong of [pngOf(16, 16), new Uint8Array(110_000)]) {
    const answer = await upload(wrong)
    expect([answer.status, answer.text.includes('id="file-problem"')]).toEqual([400, true])
  }
  expect((await getMerchant(app.context, merchantId)).logo).toEqual(logo)
  await owner.upload('/dashboard/settings', { ...values, removeLogo: 'yes' })
  expect((await getMerchant(app.context, merchantId)).logo).toBeNull()
})

test('settings that another person changed meanwhile are not overwritten', async () => {
  const other = await signInAs(app, 'owner', merchantId)
  const versionOf = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? ''
  const version = versionOf((await owner.get('/dashboard/settings')).text)
  expect((await other.upload('/dashboard/settings', { ...values, tolerance: '1', version })).status).toBe(303)
  const mine = { ...values, name: 'Mine', version }
  const refused = await owner.upload('/dashboard/settings', { ...mine, file: pngOf(64, 64) })
  expect(refused.status).toBe(409)
  for (const part of [`changed by ${other.email} on `, 'value="Mine"']) expect(refused.text).toContain(part)
  expect(await getMerchant(app.context, merchantId)).toMatchObject({ name: values.name, logo: null })
  const german = await owner.upload('/dashboard/settings?lang=de', mine)
  expect(german.text).toContain(`durch ${other.email}`)
  const again = owner.upload('/dashboard/settings', { ...mine, version: versionOf(refused.text) })
  expect((await again).status).toBe(303)
  expect(await getMerchant(app.context, merchantId)).toMatchObject({ name: 'Mine', tolerance: '1' })
  for (const wrong of ['x', '-1', '9'.repeat(30)])
    expect((await owner.upload('/dashboard/settings', { ...values, version: wrong })).status).toBeLessThan(
      500,
    )
})

test('a logo of the size that phones make does not discard the entered values', async () => {
  const file = new Uint8Array(6 * 1024 * 1024)
  const answer = await owner.upload('/dashboard/settings', {
    ...values,
    supportEmail: 'kept@shop.example',
    file,
  })
  expect([answer.status, answer.text.includes('value="kept@shop.example"')]).toEqual([400, true])
})
