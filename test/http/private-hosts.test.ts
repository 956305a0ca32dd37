import { afterAll, beforeEach, expect, test } from 'bun:test'
import { outboundPurposes } from '../../src/domain/outbound-purpose.ts'
import { changeWebhook } from '../../src/operations/webhooks/change.ts'
import { signInAs } from '../support/dashboard.ts'
import { givenMerchant } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'

const { app, ownApp } = suite({ isFresh: true })
const receiver = startReceiver()
afterAll(() => receiver.stop())
beforeEach(() => {
  receiver.received.length = 0
})

test.each([
  ['nothing', '', []],
  ['a host', 'HOST', ['endpoint', 'webhook']],
  ['a host for endpoints', 'endpoint:HOST', ['endpoint']],
  ['a host for webhooks', 'webhook:HOST', ['webhook']],
  ['a host for channels', 'channel:HOST', ['channel']],
  ['a host for Lightning', 'lightning:HOST', ['lightning']],
  ['all of them', 'endpoint:HOST,channel:HOST,webhook:HOST,lightning:HOST', [...outboundPurposes]],
])('an operator who allows %s allows no other kind of request to reach it', async (_, allowed, purposes) => {
  await ownApp({ FLORIN_OUTBOUND_ALLOW: allowed.replaceAll('HOST', receiver.host) })
  const { outbound } = app.context
  const reached: string[] = []
  for (const purpose of outboundPurposes) {
    const { outcome } = await outbound[purpose].post(receiver.url, {}, '{}')
    const check = await outbound[purpose].check(receiver.url, '/url', true).catch(error => error.code)
    expect([outcome, check]).toBeOneOf([
      ['delivered', undefined],
      ['destination_not_allowed', 'validation_error'],
    ])
    if (outcome === 'delivered') reached.push(purpose)
  }
  expect(reached).toEqual(purposes)
  expect(receiver.received.length).toBe(purposes.length)
})

test('a viewer reaches no host that was allowed for a node, and an owner only with a webhook', async () => {
  await ownApp({ FLORIN_OUTBOUND_ALLOW: receiver.host })
  const shop = await givenMerchant(app)
  for (const role of ['viewer', 'owner'] as const) {
    const person = await signInAs(app, role, shop.id)
    const channels = { https: receiver.url, ntfy: `http://${receiver.host}/topic` }
    for (const [name, url] of Object.entries(channels)) {
      const { status } = await person.post('/dashboard/notices', { name, [`address-${name}`]: url })
      expect([role, name, status]).toEqual([role, name, 400])
    }
  }
  expect(receiver.received).toEqual([])
  await changeWebhook(app.context, shop.id, receiver.url)
})
