import { expect, test } from 'bun:test'
import { notificationKinds } from '../../../src/domain/notification-kind.ts'
import { listChannels } from '../../../src/operations/channels/manage.ts'
import { startWithReceiver } from '../../support/app-with-receiver.ts'
import { signInAs } from '../../support/dashboard.ts'
import { givenShop } from '../../support/given.ts'
import { suite } from '../../support/suite.ts'

const PATH = '/dashboard/notices'
const MINUTE_MS = 60_000

const { app, once } = suite({ start: startWithReceiver })
const receiver = once(() => app.receiver)
const shop = once(() => givenShop(app))
const ann = once(() => signInAs(app, 'viewer', shop.id))
const bob = once(() => signInAs(app, 'owner', shop.id))

const channels = async (person = ann) =>
  (await listChannels(app.context, { userId: person.userId, merchantId: shop.id })).map(
    ({ channel }) => channel,
  )
const idIn = (text: string): string => /notices\/([0-9a-f-]{36})/.exec(text)![1]!
const lastCode = (): string => /\b[0-9]{6}$/.exec(receiver.received.at(-1)!.json.message)![0]

test('a person adds a channel, confirms it, chooses its kinds and removes it', async () => {
  expect((await ann.get(PATH)).text).toContain('You have no channel yet.')
  const form = { name: 'ntfy', 'address-ntfy': `http://${receiver.host}/topic`, 'secret-ntfy': 'tk_1234' }
  const added = await ann.post(PATH, form)
  expect(added.status).toBe(200)
  expect(added.text).toContain('A code was sent there.')
  expect(added.text).not.toContain('tk_1234')
  const id = idIn(added.text)
  const wrong = await ann.post(`${PATH}/${id}/code`, { code: '1' })
  expect([wrong.status, wrong.text.includes('That is not the code.')]).toEqual([400, true])
  const done = await ann.post(`${PATH}/${id}/code`, { code: lastCode() })
  expect(done.headers.get('location')).toBe(`${PATH}/${id}?done=verified`)
  const page = await ann.get(`${PATH}/${id}?done=verified`)
  expect(page.text).toContain('The channel is in use now.')
  const boxes = [...page.text.matchAll(/name="kind[.]([a-z_]+)"\s+checked/g)].map(([, kind]) => kind)
  expect(boxes.toSorted()).toEqual(notificationKinds.toSorted())
  const [, offered = ''] = page.text.split('The channel is in use now.')
  expect(offered.slice(0, offered.indexOf('</div>'))).toContain(`action="${PATH}/${id}/test"`)
  const tested = await ann.post(`${PATH}/${id}/test`)
  expect(tested.headers.get('location')).toBe(`${PATH}/${id}?done=test`)
  await ann.post(`${PATH}/${id}`, { 'kind.payment_over': 'on', digest: '20' })
  const [channel] = await channels()
  expect(channel).toMatchObject({ digestHour: 20 })
  expect(channel!.muted).toHaveLength(notificationKinds.length - 1)
  expect(channel!.muted).not.toContain('payment_over')
  const list = await ann.get(PATH)
  expect(list.text).toContain(`1 of ${notificationKinds.length} kinds`)
  expect(list.text).toContain('Digest at 20:00')
  expect((await bob.get(PATH)).text).not.toContain(id)
  for (const action of ['', '/code', '/code/again', '/test', '/remove']) {
    expect((await bob.post(`${PATH}/${id}${action}`, { code: '123456' })).status).toBe(404)
  }
  expect((await bob.get(`${PATH}/${id}`)).status).toBe(404)
  const removed = await ann.post(`${PATH}/${id}/remove`)
  expect(removed.headers.get('location')).toBe(`${PATH}?removed`)
  expect(await channels()).toEqual([])
})

test('the secret of a channel with signed requests is shown once', async () => {
  const added = await ann.post(PATH, { name: 'https', 'address-https': receiver.url })
  const [channel] = await channels()
  expect(added.text).toContain(channel!.secret!)
  expect((await ann.get(`${PATH}/${channel!.id}`)).text).not.toContain(channel!.secret!)
  const soon = await ann.post(`${PATH}/${channel!.id}/code/again`)
  expect([soon.status, soon.text.includes('Too many tries.')]).toEqual([429, true])
  await app.advance(MINUTE_MS)
  expect((await ann.post(`${PATH}/${channel!.id}/code/again`)).status).toBe(303)
  receiver.answerWith(() => new Response('no', { status: 403 }))
  await app.advance(MINUTE_MS)
  const failed = await ann.post(`${PATH}/${channel!.id}/code/again`)
  expect(failed.text).toContain('The code could not be sent: refused (status 403).')
  receiver.answerWith(() => new Response('ok'))
})

test('a refused channel is shown again with the entered values and the error', async () => {
  const before = await channels()
  const cases: [form: Record<string, string>, text: string][] = [
    [{ name: 'https', 'address-https': 'https://10.0.0.1/"><b>' }, 'must not point to a private network'],
    [{ name: 'ntfy', 'address-ntfy': 'nonsense' }, 'Enter the URL of an ntfy topic'],
    [{ name: 'telegram', 'address-telegram': '-100', 'secret-telegram': 'x' }, 'Enter the token'],
    [{ name: 'https', 'address-https': receiver.url }, 'You have this channel already'],
    [{ name: 'mail' }, 'One of the fields has a value that Florin cannot use.'],
    [{ name: 'sms' }, ''],
    [{}, ''],
  ]
  for (const [form, text] of cases) {
    const answer = await ann.post(PATH, form)
    expect(answer.status).toBeOneOf([400, 409, 422])
    expect(answer.text).toContain(text)
    expect(answer.text).not.toContain('"><b>')
  }
  expect(await channels()).toEqual(before)
  expect((await ann.get(PATH)).text).toContain('This server sends no email.')
})

test('one channel too many is refused, and the message names the limit', async () => {
  const add = (index: number) =>
    bob.post(PATH, { name: 'ntfy', 'address-ntfy': `http://${receiver.host}/topic-${index}` })
  for (let index = 0; index < 10; index++) expect((await add(index)).status).toBeLessThan(400)
  const refused = await add(10)
  expect([refused.status, await channels(bob)]).toEqual([409, expect.objectContaining({ length: 10 })])
  expect(refused.text).toContain('You have 10 channels. Remove one before you add another.')
})

test('a new channel needs the password again half an hour after signing in', async () => {
  app.time.now += 31 * MINUTE_MS
  const before = await channels()
  const asked = await ann.post(PATH, { name: 'ntfy', 'address-ntfy': `http://${receiver.host}/late` })
  expect(asked.status).toBe(401)
  expect(await channels()).toEqual(before)
})

test('the pages of channels are also in German', async () => {
  const { text } = await ann.get(`${PATH}?lang=de`)
  expect(text).toContain('Benachrichtigungen')
  expect(text).not.toContain('undefined')
})
