import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { getMerchant } from '../../../src/operations/merchants/read.ts'
import { listAudit } from '../../../src/operations/merchants/read-audit.ts'
import { type App, startApp } from '../../support/app.ts'
import { type Person, signInAs } from '../../support/dashboard.ts'

let app: App
let owner: Person
let merchantId = ''

beforeAll(async () => {
  app = await startApp()
  merchantId = (await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })).id
  owner = await signInAs(app, 'owner', merchantId)
})
afterAll(() => app.close())

const values = { name: 'Müller & Söhne', supportEmail: 'help@shop.example', returnUrl: '' }

test('an owner changes what buyers see, and the audit log names them', async () => {
  const saved = await owner.post('/dashboard/settings', values)
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

test('a refused form is shown again, with what was entered and what is wrong', async () => {
  const answer = await owner.post('/dashboard/settings', { ...values, name: '  ', supportEmail: 'nobody' })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('value="nobody"')
  expect(answer.text).toContain('aria-invalid')
  const url = await owner.post('/dashboard/settings', { ...values, returnUrl: 'http://10.0.0.1/' })
  expect(url.text).toContain('public address that begins with https://')
  expect(await getMerchant(app.context, merchantId)).toMatchObject({
    name: 'Müller & Söhne',
    returnUrl: null,
  })
})

test('the time zone is that of reports, and is refused if there is no such zone', async () => {
  const wrong = await owner.post('/dashboard/settings', { ...values, timeZone: 'Mars/Olympus' })
  expect([wrong.status, wrong.text.includes('name of a time zone')]).toEqual([400, true])
  expect((await getMerchant(app.context, merchantId)).timeZone).toBe('UTC')
  const saved = await owner.post('/dashboard/settings', { ...values, timeZone: 'Europe/Berlin' })
  expect(saved.status).toBe(303)
  expect((await owner.get('/dashboard/settings')).text).toContain('value="Europe/Berlin"')
  expect((await owner.get('/dashboard/reports')).status).toBe(200)
})
