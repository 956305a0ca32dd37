import { expect, test } from 'bun:test'
import { START, startApp } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { newWebhookProblems, webhookProblems } from './expected-shapes.ts'
import { data, MARKER, type Refused, refused } from './request.ts'
import { changeRows } from './rows.ts'

/** The addresses of host names; any other name is not found. */
const names: Record<string, string[]> = {
  'shop.example': ['93.184.216.34'],
  'rebound.example': ['10.0.0.5'],
  'half.example': ['93.184.216.34', '127.0.0.1'],
  'six.example': ['fd00::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}

const { app, once, each } = suite({
  start: () =>
    startApp(
      { FLORIN_OUTBOUND_ALLOW: '127.0.0.1:9099,receiver.internal:8443' },
      {
        lookup: async host => {
          const found = names[host]
          if (!found) throw new Error('not found')
          return found.map(address => ({ address }))
        },
      },
    ),
})
once(() => app.jobs.settle())
const shop = each(() => givenMerchant(app))

const HOOK = 'https://shop.example/hooks/florin?a=b'
const malformed: Refused = { status: 400, code: 'validation_error', path: 'url' }
const notAllowed: Refused = { status: 422, code: 'destination_not_allowed' }

const read = (key = shop.live) => data(app, 'GET', '/v1/webhook', { key })
const write = (url: string, key = shop.live) => data(app, 'PUT', '/v1/webhook', { key, body: { url } })

const wrongBodies: [title: string, body: unknown][] = [
  ['nothing', ''],
  ['no property', {}],
  ['a list', [HOOK]],
  ['a string', JSON.stringify(HOOK)],
  ['null', 'null'],
  ['an extra property', { url: HOOK, events: ['order.paid'] }],
  ['an own secret', { url: HOOK, signingSecret: MARKER }],
  ['a URL that is null', { url: null }],
  ['a URL that is a number', { url: 5 }],
  ['a URL that is a list', { url: [HOOK] }],
]

test.each(wrongBodies)('a webhook of %s is refused', async (_, body) => {
  await refused(app, { status: 400, code: 'validation_error' }, 'PUT', '/v1/webhook', {
    key: shop.live,
    body,
  })
})

/** A malformed URL, wrong scheme, credentials or fragment is 400, also for a private host. */
const malformedUrls = [
  ...['', ' ', MARKER, 'shop.example/hook', '//shop.example/hook', 'https:', 'https://', 'https:///hook'],
  ...['http://shop.example/hook', 'HTTP://shop.example', 'ftp://shop.example', 'file:///etc/passwd'],
  ...[`javascript:${MARKER}`, 'data:text/plain,a', 'ws://shop.example', 'HTTPS://shop.example/'],
  ...[' https://shop.example/', 'https://shop.example/ ', 'https://shop.example/a b'],
  'https://shop.example/\n',
  ...['https://shop.exam\tple/', 'https:\\\\shop.example', 'https://shop.example\\@10.0.0.1/'],
  'https:/shop.example',
  ...[`https://${MARKER}@shop.example/`, `https://user:${MARKER}@shop.example/`, 'https://@shop.example/'],
  ...['https://shop.example@127.0.0.1/', 'https://shop.example/#', 'https://shop.example/hook#top'],
  ...words('https://shop.example:99999/ https://256.256.256.256/ https://[::1/ https://[fe80::1%25eth0]/'),
  ...words('http://127.0.0.1/ http://localhost:9099/ http://127.0.0.1:9098/ https://user@127.0.0.1:9099/'),
  ...['http://127.0.0.1:9099/#a', `https://shop.example/${'a'.repeat(2028)}`],
]

test.each(malformedUrls)('the URL %j is malformed', async url => {
  await refused(app, malformed, 'PUT', '/v1/webhook', { key: shop.live, body: { url } })
})

/** A well-formed URL of a private or internal host is 422. */
const privateHosts = [
  ...['localhost', 'LocalHost', 'localhost.', 'a.localhost', 'localhost.localdomain', 'intranet', 'shop'],
  ...['shop.local', 'db.internal', 'metadata.google.internal', 'nas.lan', 'ad.corp', 'router.home.arpa'],
  ...words('127.0.0.1 127.0.0.1. 127.1 127.0.1 0x7f.1 0x7f000001 017700000001 2130706433 0'),
  ...['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', 'ⓛocalhost'],
  ...words('0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254'),
  ...['100.64.0.1', '198.18.0.1', '192.0.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['[::]', '[::1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::127.0.0.1]'],
  ...['rebound.example', 'half.example', 'six.example', 'mapped.example', 'metadata.example'],
  ...['receiver.internal', 'receiver.internal:8444'],
]

test.each(privateHosts)('a webhook at %s is not allowed', async host => {
  const body = { url: `https://${host}/hook` }
  await refused(app, notAllowed, 'PUT', '/v1/webhook', { key: shop.live, body })
})

test('a refused URL keeps the current one', async () => {
  await write(HOOK)
  const before = await read()
  await refused(app, notAllowed, 'PUT', '/v1/webhook', { key: shop.live, body: { url: 'https://10.0.0.1/' } })
  expect(await read()).toEqual(before)
})

test('a merchant without a webhook gets a response with null instead of its URL', async () => {
  const webhook = await read(shop.test)
  expect(webhookProblems(webhook)).toEqual([])
  expect(webhook).toMatchObject({
    configured: false,
    endpointId: null,
    url: null,
    status: 'not_configured',
    createdAt: null,
    updatedAt: null,
  })
})

test('only the first response contains the secret', async () => {
  const created = await write(HOOK)
  expect(newWebhookProblems(created)).toEqual([])
  const at = new Date(START).toISOString()
  const { signingSecret, ...webhook } = created
  expect(webhook).toEqual({
    configured: true,
    endpointId: expect.any(String),
    url: HOOK,
    events: ['order.paid'],
    status: 'active',
    createdAt: at,
    updatedAt: at,
  })
  for (const answer of [await read(), await read(shop.test), await write(HOOK), await write(`${HOOK}&c=d`)]) {
    expect(webhookProblems(answer)).toEqual([])
    expect(JSON.stringify(answer)).not.toContain(signingSecret)
  }
  expect(JSON.stringify(app.logged)).not.toContain(signingSecret)
})

test('replacing the URL keeps the endpoint, its events and its creation time', async () => {
  const { signingSecret: _, ...created } = await write(HOOK)
  app.time.now = START + 1000
  const replaced = await write('https://shop.example/elsewhere')
  expect(replaced).toEqual({
    ...created,
    url: 'https://shop.example/elsewhere',
    updatedAt: new Date(START + 1000).toISOString(),
  })
  expect(await read()).toEqual(replaced)
  app.time.now = START
})

test('subscribed events stay when the URL is replaced', async () => {
  await write(HOOK)
  const events = ['order.paid', 'payment.created', 'payment.expired']
  changeRows(app, 'UPDATE webhooks SET events = ? WHERE merchant_id = ?', JSON.stringify(events), shop.id)
  expect((await write(`${HOOK}2`)).events).toEqual(events)
})

test('a disabled endpoint works again when its URL is replaced', async () => {
  await write(HOOK)
  changeRows(app, "UPDATE webhooks SET status = 'disabled' WHERE merchant_id = ?", shop.id)
  expect((await read()).status).toBe('disabled')
  expect((await write(`${HOOK}2`)).status).toBe('active')
})

const publicUrls = [
  'https://shop.example',
  'https://shop.example:8443/hook',
  'https://93.184.216.34/hook',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/hook',
  'https://not-yet-there.example/hook',
  'https://bücher.example/hook',
  `https://shop.example/${'a'.repeat(2027)}`,
  'http://127.0.0.1:9099/hook',
  'https://receiver.internal:8443/hook',
]

test.each(publicUrls)('a webhook at %s is accepted', async url => {
  const created = await write(url)
  expect(created).toMatchObject({ configured: true, status: 'active' })
  expect(created.url.startsWith(url.slice(0, 8))).toBe(true)
})

test('20 first configurations at once create one endpoint and reveal one secret', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => write(`https://shop.example/${i}`)))
  expect(new Set(answers.map(({ endpointId }) => endpointId)).size).toBe(1)
  expect(answers.filter(answer => 'signingSecret' in answer)).toHaveLength(1)
})

test('two merchants have different secrets', async () => {
  const stranger = await givenMerchant(app)
  const [mine, theirs] = [await write(HOOK), await write(HOOK, stranger.live)]
  expect(mine.signingSecret).not.toBe(theirs.signingSecret)
  expect((await read(stranger.live)).endpointId).toBe(theirs.endpointId)
})
