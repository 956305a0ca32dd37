import { expect, test } from 'bun:test'
import { addWebhook, listWebhooks } from '../../../src/operations/webhooks/further.ts'
import { startApp } from '../../support/app.ts'
import { signInAs } from '../../support/dashboard.ts'
import { givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const APPS = '/dashboard/apps'
const CONNECT = '/dashboard/connect'
const REDIRECT = 'https://shop.example/?btcpay-settings-callback'
const required = ['canviewinvoices', 'cancreateinvoice', 'canviewstoresettings', 'canmodifyinvoices']
const optional = ['cancreatenonapprovedpullpayments', 'webhooks.canmodifywebhooks']
const named = (names: string[]) => names.map(name => `btcpay.store.${name}`)
const asked = {
  name: 'WooCommerce <b>',
  redirect: REDIRECT,
  permissions: named([...required, ...optional]).join(','),
}

const names: Record<string, string> = { 'shop.example': '93.184.216.34', 'inside.example': '10.0.0.5' }
const { app, each } = suite({
  start: () =>
    startApp(
      { FLORIN_GREENFIELD: 'on' },
      { lookup: async host => (names[host] ? [{ address: names[host] }] : []) },
    ),
})
each(() => {
  // The limit of sign-ins per minute is low.
  app.time.now += 60_000
})
const shop = each(() => givenShop(app))
const owner = each(() => signInAs(app, 'owner', shop.id))

const keyIn = (text: string): string => /florin_live_\w{48}/.exec(text)?.[0] ?? ''
const current = (key: string) =>
  app.call('GET', '/api/v1/api-keys/current', { headers: { authorization: `token ${key}` } })

test('the request of a plugin redirects to the dashboard, through the sign-in', async () => {
  const query = new URLSearchParams([
    ...named(required).map(name => ['permissions', name]),
    ...Object.entries({ applicationName: 'Woo & co', strict: 'true', redirect: REDIRECT }),
  ])
  const answer = await app.call('GET', `/api-keys/authorize?${query}`)
  const location = new URL(answer.headers.get('location') ?? '')
  expect([answer.status, location.pathname]).toEqual([303, CONNECT])
  expect(Object.fromEntries(location.searchParams)).toEqual({
    ...{ name: 'Woo & co', redirect: REDIRECT, permissions: named(required).join(',') },
  })
  const stranger = await app.call('GET', location.pathname + location.search, {
    headers: { accept: 'text/html' },
  })
  const next = new URL(stranger.headers.get('location') ?? '', 'https://x.example').searchParams.get('next')
  expect(next).toBe(location.pathname + location.search)
})

test('the page to connect a plugin names Medusa with its three steps', async () => {
  const { text } = await owner.get(APPS)
  const [, guide = ''] = /<summary>Medusa<[/]summary>(.*?)<[/]details>/s.exec(text) ?? []
  expect(guide.match(/<li>/g)).toHaveLength(3)
  for (const part of ['medusa-payment-florin', app.context.policy.checkoutUrl, '/hooks/florin'])
    expect(guide).toContain(part)
})

test('an owner sees who requests a key and for what, and the plugin gets it', async () => {
  const page = await owner.get(`${CONNECT}?${new URLSearchParams(asked)}`)
  expect(page.text).toContain('https://shop.example')
  expect(page.text).toContain('Create orders')
  expect(page.text).not.toContain('Change the payout wallets')
  expect(page.text).not.toContain('<b>')
  const given = await owner.post(CONNECT, asked)
  expect(given.text).toContain(`action="${REDIRECT}"`)
  expect(given.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example;")
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
  const key = keyIn(given.text)
  const permissions = [...given.text.matchAll(/name="permissions\[\]" value="([^"]+)"/g)].map(
    ([, one]) => one,
  )
  const granted = named([...required, 'webhooks.canmodifywebhooks']).map(name => `${name}:${shop.id}`)
  expect(permissions.toSorted()).toEqual(granted.toSorted())
  const { json } = await current(key)
  expect(json).toMatchObject({ label: 'WooCommerce <b>', permissions: expect.arrayContaining(granted) })
  expect(JSON.stringify(app.logged)).not.toContain(key)
})

test('an owner copies the key for a plugin that names no return address, such as that of PrestaShop', async () => {
  const query = new URLSearchParams({ applicationName: 'btcpay', permissions: named(required)[0]! })
  const { headers } = await app.call('GET', `/api-keys/authorize?${query}`)
  const location = new URL(headers.get('location') ?? '')
  expect((await owner.get(location.pathname + location.search)).text).toContain('btcpay')
  const given = await owner.post(CONNECT, { ...asked, name: 'btcpay', redirect: '' })
  expect(given.headers.get('content-security-policy')).toContain("form-action 'self';")
  expect((await current(keyIn(given.text))).json).toMatchObject({ label: 'btcpay' })
})

test('a plugin is paired by a code that the owner makes, and is listed', async () => {
  const made = await owner.post(`${APPS}/pair`, { label: 'Odoo <b>' })
  const [, code = ''] = />([A-Za-z0-9]{7})</.exec(made.text) ?? []
  const answer = await app.call('POST', '/tokens', { body: { id: 'Tf1A', pairingCode: code } })
  expect(answer.json.data).toMatchObject([{ facade: 'merchant', label: 'Odoo <b>' }])
  const { text } = await owner.get(APPS)
  expect([text.includes('Odoo &lt;b&gt;'), text.includes(code)]).toEqual([true, false])
  expect(JSON.stringify(app.logged)).not.toContain(code)
})

test('a connected website is listed, and loses its key and its webhooks when it is disconnected', async () => {
  expect((await owner.get(APPS)).text).toContain('No website is connected.')
  const key = keyIn((await owner.post(CONNECT, asked)).text)
  const keyId = key.slice('florin_live_'.length, 'florin_live_'.length + 10)
  const url = 'https://shop.example/hook'
  await addWebhook(app.context, shop.id, { url, keyId, format: 'greenfield', events: ['InvoiceSettled'] })
  await addWebhook(app.context, shop.id, { url })
  expect((await owner.get(APPS)).text).toContain('https://shop.example')
  const answer = await owner.post(`${APPS}/${keyId}/revoke`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${APPS}?revoked`])
  expect((await current(key)).status).toBe(401)
  expect((await listWebhooks(app.context, shop.id)).map(({ format }) => format)).toEqual(['florin'])
  expect((await owner.get(APPS)).text).toContain('No website is connected.')
})

test.each([
  ['a private address', { redirect: 'https://inside.example/' }],
  ['plain HTTP', { redirect: 'http://shop.example/' }],
  ['a script', { redirect: 'javascript:alert(1)' }],
  ['nothing that Florin has', { permissions: 'unrestricted' }],
])('a request with %s is not granted', async (_, change) => {
  const wrong = { ...asked, ...change }
  const page = await owner.get(`${CONNECT}?${new URLSearchParams(wrong)}`)
  expect(page.text).toContain('This request cannot be granted')
  const answer = await owner.post(CONNECT, wrong)
  expect([answer.status >= 400, keyIn(answer.text)]).toEqual([true, ''])
})

test('only owners may grant a plugin’s request, and only if the operator has switched its API on', async () => {
  const staff = await signInAs(app, 'staff', shop.id)
  expect((await staff.post(CONNECT, asked)).status).toBe(403)
  const off = await startApp()
  try {
    const other = await givenShop(off)
    const person = await signInAs(off, 'owner', other.id)
    const answer = await person.post(CONNECT, asked)
    expect([answer.status, keyIn(answer.text)]).toEqual([400, ''])
    expect((await person.get(APPS)).text).toContain('FLORIN_GREENFIELD=on')
  } finally {
    await off.close()
  }
})
