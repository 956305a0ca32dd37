import { expect, test } from 'bun:test'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { listUnmatched } from '../../../src/operations/payments/unmatched.ts'
import { proving, signInAs } from '../../support/dashboard.ts'
import { check, givenOrder, givenShop, openCrypto, simulate, statusOf } from '../../support/given.ts'
import { givenSkippedPayment } from '../../support/given-skipped.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
const owner = once(async () => proving(await signInAs(app, 'owner', shop.id)))
const staff = once(() => signInAs(app, 'staff', shop.id))
const viewer = once(() => signInAs(app, 'viewer', shop.id))
const stranger = once(async () => proving(await signInAs(app, 'owner', (await givenShop(app)).id)))

/** An expired order that received half of its amount, and the payment that is left. */
async function givenHalf(externalId: string): Promise<{ orderUUID: string; id: string }> {
  const { orderUUID } = await givenOrder(app, shop, { externalId, amount: '80.00' })
  await openCrypto(app, orderUUID, 'polygon/usdc')
  await simulate(app, orderUUID, 'underpaid')
  await check(app, orderUUID)
  app.time.now += 3 * 3600_000
  await check(app, orderUUID)
  const all = await listUnmatched(app.context, shop.id)
  return { orderUUID, id: all.find(({ payment }) => payment.orderId === orderUUID)!.payment.id }
}

const PATH = '/dashboard/unmatched'

const stored = async (id: string) => (await app.context.storage.read(tables => tables.unmatched.find(id)))!

const namesIn = (text: string): string[] =>
  [...text.matchAll(/<a href="\/dashboard\/orders\/[0-9a-f-]{36}" dir="auto">([^<]+)</g)].map(one => one[1]!)

test('money for an order that a restore lost is in the inbox, and its shop marks it as resolved', async () => {
  const address = '0x4444444444444444444444444444444444444444'
  const id = await givenSkippedPayment(app, shop.id, address)
  const page = await staff.get(PATH)
  expect(page.text).toContain('the database was restored from an older backup')
  expect(page.text).toContain(address)
  expect((await viewer.get(PATH)).text).not.toContain(`${id}/resolve`)
  expect((await stranger.get(PATH)).text).not.toContain(address)
  const form = { status: 'open', page: '', text: 'refunded by hand' }
  expect((await stranger.post(`${PATH}/${id}/resolve`, form)).status).toBe(404)
  expect((await owner.post(`${PATH}/${id}/accept`, { ...form, text: '' })).status).toBe(404)
  expect((await staff.post(`${PATH}/${id}/resolve`, form)).status).toBe(303)
  expect((await staff.get(PATH)).text).not.toContain(address)
  const resolved = await staff.get(`${PATH}?status=resolved`)
  expect(resolved.text).toContain(address)
  expect(resolved.text).toContain('refunded by hand')
})

test('an owner accepts a payment, which pays its order, and the page says who and why', async () => {
  const { orderUUID, id } = await givenHalf('ACCEPT-1')
  const page = await owner.get(PATH)
  expect(page.text).toContain('$40.00')
  expect(page.text).toContain('It is too little.')
  expect(page.text).toContain('The customer has left no address.')
  expect(page.text).toContain('1 open')
  for (const person of [staff, viewer]) {
    expect((await person.get(PATH)).text).not.toContain(`${id}/accept`)
    expect((await person.post(`${PATH}/${id}/accept`, { text: '' })).status).toBe(403)
  }
  expect((await stranger.post(`${PATH}/${id}/accept`, { text: '' })).status).toBe(404)
  expect((await statusOf(app, orderUUID)).status).not.toBe('PAID')
  const done = await owner.post(`${PATH}/${id}/accept`, { text: 'A <regular>' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `${PATH}?done=accepted`])
  expect((await statusOf(app, orderUUID)).status).toBe('PAID')
  expect(await stored(id)).toMatchObject({
    status: 'accepted',
    note: 'A <regular>',
    decidedBy: owner.email,
  })
  const shown = await viewer.get(`${PATH}?status=accepted`)
  expect(shown.text).toContain('A &lt;regular&gt;')
  expect(shown.text).toContain(owner.email)
  const again = await owner.post(`${PATH}/${id}/accept`, { text: 'twice' })
  expect([again.status, again.text.includes('can no longer be changed')]).toEqual([409, true])
})

test('staff resolve a payment with a note, which stays with who wrote it', async () => {
  const { orderUUID, id } = await givenHalf('RESOLVE-1')
  expect((await viewer.get(PATH)).text).not.toContain(`${id}/resolve`)
  expect((await viewer.post(`${PATH}/${id}/resolve`, { text: '' })).status).toBe(403)
  expect((await stranger.post(`${PATH}/${id}/resolve`, { text: '' })).status).toBe(404)
  const long = await staff.post(`${PATH}/${id}/resolve`, { text: 'x'.repeat(1001) })
  expect([long.status, long.text.includes('x'.repeat(1001))]).toEqual([400, true])
  expect(long.text).toContain('Enter a note of at most 1,000 characters.')
  expect((await stored(id)).status).toBe('open')
  const done = await staff.post(`${PATH}/${id}/resolve`, { text: ' Sent back in 0xabc ' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `${PATH}?done=resolved`])
  const actor = `user:${staff.userId}`
  expect(await stored(id)).toMatchObject({ status: 'resolved', note: 'Sent back in 0xabc', decidedBy: actor })
  const [entry] = await listAudit(app.context, shop.id, 1)
  expect(entry).toMatchObject({ actor, action: 'unmatched.resolved', after: { note: 'Sent back in 0xabc' } })
  const shown = await viewer.get(`${PATH}?status=resolved`)
  expect(shown.text).toContain('Sent back in 0xabc')
  expect(shown.text).toContain(staff.email)
  expect((await statusOf(app, orderUUID)).status).not.toBe('PAID')
  expect((await staff.post(`${PATH}/${id}/resolve`, { text: 'again' })).status).toBe(409)
  expect((await stored(id)).note).toBe('Sent back in 0xabc')
})

test('the inbox of unmatched payments is read page by page, and has none of another shop', async () => {
  for (let index = 0; index < 16; index++) await givenHalf(`PAGE-${index}`)
  // A login ends after half a day without use.
  Object.assign(viewer, await signInAs(app, 'viewer', shop.id))
  Object.assign(stranger, await signInAs(app, 'owner', (await givenShop(app)).id))
  const first = await viewer.get(PATH)
  expect(namesIn(first.text)).toEqual(Array.from({ length: 15 }, (_, index) => `PAGE-${15 - index}`))
  const older = /<a href="([^"]+)">Older</.exec(first.text)![1]!.replaceAll('&amp;', '&')
  const second = await viewer.get(older)
  expect(namesIn(second.text)).toEqual(['PAGE-0'])
  expect(second.text).toContain('>Newest<')
  expect(first.text).toContain('16 open')
  const other = await stranger.get(`${PATH}?status=all`)
  expect(namesIn(other.text)).toEqual([])
  expect(other.text).toContain('There are no such payments.')
  expect(other.text).not.toContain(' open<')
  expect(first.text.length).toBeLessThan(60 * 1024)
})

test('the inbox of unmatched payments shows a buyer’s refund address, and exists in German', async () => {
  const { orderUUID, id } = await givenHalf('REFUND-1')
  const { attemptId } = await stored(id)
  const address = '0x3333333333333333333333333333333333333333'
  await app.context.storage.write(tables => tables.attempts.update(attemptId, { refundAddress: address }))
  // A provider's report may contain the secret that proves its callbacks.
  const { incomingPaymentId } = await stored(id)
  const evidence = { raw: 'callback?secret=hunter2' }
  await app.context.storage.write(tables => tables.incomingPayments.update(incomingPaymentId, { evidence }))
  const page = await viewer.get(`${PATH}?lang=de`)
  expect(page.text).not.toContain('hunter2')
  expect(page.text).toContain('&quot;source&quot;')
  expect(page.text).toContain(address)
  expect(page.text).toContain('Erstatten an')
  expect(page.text).toContain(`/dashboard/orders/${orderUUID}`)
})
