import { describe, expect, test } from 'bun:test'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { createUser } from '../../../src/operations/people/create-user.ts'
import { listMembers } from '../../../src/operations/people/members.ts'
import { browserOf, cookieOf, PASSWORD, signInAs } from '../../support/dashboard.ts'
import { suite } from '../../support/suite.ts'
import { rowsOf } from '../rows.ts'

const { app, each } = suite()
let merchantId = ''
let made = 0
each(async () => {
  made++
  merchantId = (await createMerchant(app.context, { email: `shop${made}@example.com`, name: 'Shop' })).id
})
const owner = each(() => signInAs(app, 'owner', merchantId))

const members = async () =>
  (await listMembers(app.context, merchantId)).map(({ email, role }) => ({ email, role }))
const linkIn = (text: string): string => /[/]dashboard[/]link[/][\w-]{43}/.exec(text)?.[0] ?? ''

describe('people', () => {
  test('are invited by an owner, and choose a password with a link that is shown once', async () => {
    const answer = await owner.post('/dashboard/people', { email: ' new@people.example ', role: 'staff' })
    expect(answer.status).toBe(200)
    const link = linkIn(answer.text)
    expect(link).not.toBe('')
    expect((await owner.get('/dashboard/people')).text).not.toContain(link)
    const joined = await browserOf(app, '').post(link, { password: PASSWORD })
    const newcomer = browserOf(app, cookieOf(joined))
    expect((await newcomer.get('/dashboard')).text).toContain('Staff')
    expect((await newcomer.get('/dashboard/people')).status).toBe(403)
    const [, entry] = await listAudit(app.context, merchantId, 2)
    expect(entry).toMatchObject({
      actor: `user:${owner.userId}`,
      action: 'user.added',
      after: { role: 'staff' },
    })
  })

  test('get new invitations until they have a password, and then only from the operator', async () => {
    const email = `renewed${made}@people.example`
    const first = linkIn((await owner.post('/dashboard/people', { email, role: 'viewer' })).text)
    const { userId } = (await listMembers(app.context, merchantId)).find(one => one.email === email)!
    const second = linkIn((await owner.post('/dashboard/people/link', { userId })).text)
    expect((await browserOf(app, '').get(first)).status).toBe(404)
    await browserOf(app, '').post(second, { password: PASSWORD })
    const third = await owner.post('/dashboard/people/link', { userId })
    expect([third.status, linkIn(third.text)]).toEqual([409, ''])
    expect(third.text).toContain('the operator can reset it')
  })

  test('keep their account if they already work for another shop', async () => {
    const other = await createMerchant(app.context, { email: `other${made}@example.com`, name: 'Other' })
    const stranger = await signInAs(app, 'owner', other.id)
    const before = await members()
    const answer = await owner.post('/dashboard/people', { email: stranger.email, role: 'viewer' })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Ask the operator')
    expect(await members()).toEqual(before)
    const operator = await signInAs(app, 'operator', null)
    await operator.post('/dashboard/shop', { merchantId })
    expect((await operator.post('/dashboard/people', { email: stranger.email, role: 'viewer' })).status).toBe(
      200,
    )
    expect(await members()).toEqual([...before, { email: stranger.email, role: 'viewer' }])
  })

  test('keep a last owner: inviting them again with a lower role is refused', async () => {
    const before = await members()
    for (const email of [owner.email, owner.email.toUpperCase()]) {
      const answer = await owner.post('/dashboard/people', { email, role: 'viewer' })
      expect([email, answer.status, answer.text.includes('needs an owner')]).toEqual([email, 409, true])
    }
    const operator = await signInAs(app, 'operator', null)
    const form = { email: owner.email, merchantId, role: 'staff' }
    const answer = await operator.post('/dashboard/server', form)
    expect([answer.status, answer.text.includes('needs an owner')]).toEqual([409, true])
    expect(await members()).toEqual(before)
    expect((await owner.get('/dashboard/people')).status).toBe(200)
  })

  test('who were invited to another shop too, or as operators, get new links from operators only', async () => {
    const other = await createMerchant(app.context, { email: `third${made}@example.com`, name: 'Third' })
    const invited = async (name: string, merchants: (string | null)[]) => {
      const email = `${name}${made}@people.example`
      for (const merchant of merchants) await createUser(app.context, { email, merchantId: merchant })
      return {
        email,
        userId: (await listMembers(app.context, merchantId)).find(one => one.email === email)!.userId,
      }
    }
    for (const { email, userId } of [
      await invited('both', [merchantId, other.id]),
      await invited('chief', [null, merchantId]),
    ]) {
      for (const [path, form] of [
        ['/dashboard/people/link', { userId }],
        ['/dashboard/people', { email, role: 'owner' }],
      ] as const) {
        const { status, text } = await owner.post(path, form)
        expect([path, status, linkIn(text)]).toEqual([path, 409, ''])
        expect(text).toContain('the operator')
      }
      const operator = await signInAs(app, 'operator', null)
      await operator.post('/dashboard/shop', { merchantId })
      expect(linkIn((await operator.post('/dashboard/people/link', { userId })).text)).not.toBe('')
    }
  })

  test('keep at least one owner, and people of other shops cannot be changed', async () => {
    const other = await createMerchant(app.context, { email: `another${made}@example.com`, name: 'Other' })
    const stranger = await signInAs(app, 'viewer', other.id)
    const { userId } = owner
    for (const [path, form, status] of [
      ['/dashboard/people/role', { userId, role: 'staff' }, 409],
      ['/dashboard/people/remove', { userId }, 409],
      ['/dashboard/people/role', { userId, role: 'king' }, 400],
      ['/dashboard/people/role', { userId: stranger.userId, role: 'owner' }, 404],
      ['/dashboard/people/remove', { userId: stranger.userId }, 404],
      ['/dashboard/people/link', { userId: stranger.userId }, 404],
    ] as const) {
      expect([path, (await owner.post(path, form)).status]).toEqual([path, status])
    }
    expect(await members()).toEqual([{ email: owner.email, role: 'owner' }])
    const second = await signInAs(app, 'owner', merchantId)
    await owner.post('/dashboard/orders/views', { name: 'Paid', query: 'status=PAID' })
    const views = () => rowsOf(app, 'SELECT user_id FROM saved_views')
    expect(views()).toEqual([{ user_id: userId }])
    expect((await second.post('/dashboard/people/remove', { userId })).status).toBe(303)
    expect(views()).toEqual([])
    expect((await owner.get('/dashboard/settings')).status).toBe(403)
  })
})

describe('the account', () => {
  test('ends all other logins with a new password', async () => {
    const signIn = (password: string) =>
      browserOf(app, '').post('/dashboard/sign-in', { email: owner.email, password })
    const elsewhere = browserOf(app, cookieOf(await signIn(PASSWORD)))
    expect((await elsewhere.get('/dashboard')).status).toBe(200)
    const weak = await owner.post('/dashboard/account/password', {
      password: owner.email,
      proofPassword: PASSWORD,
    })
    expect([weak.status, weak.text.includes('aria-invalid')]).toEqual([400, true])
    const changed = await owner.post('/dashboard/account/password', {
      password: 'another long password',
      proofPassword: PASSWORD,
    })
    expect(changed.status).toBe(303)
    expect((await elsewhere.get('/dashboard')).status).toBe(303)
    expect((await owner.get('/dashboard')).status).toBe(200)
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn('another long password')).status).toBe(303)
  })

  test('lists the browsers of a person, and signs out one or all others', async () => {
    const signIn = async (userAgent: string) => {
      const form = { email: owner.email, password: PASSWORD }
      const headers = { origin: 'http://localhost', host: 'localhost', 'user-agent': userAgent }
      const answer = await app.call('POST', '/dashboard/sign-in', { form, headers })
      return browserOf(app, cookieOf(answer))
    }
    const phone = await signIn(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Safari/604.1',
    )
    const office = await signIn(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    )
    const { text } = await phone.get('/dashboard/account')
    expect(text).toContain('Safari on iOS')
    expect(text).toContain('Firefox on Windows')
    const stranger = await signInAs(app, 'viewer', merchantId)
    const ids = [...text.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(match => match[1]!)
    expect(ids.length).toBe(2)
    for (const id of ids) await stranger.post('/dashboard/account/logins/end', { id })
    expect((await office.get('/dashboard')).status).toBe(200)
    await phone.post('/dashboard/account/logins/end', { id: ids[0]! })
    await phone.post('/dashboard/account/logins/end-others')
    expect([(await office.get('/dashboard')).status, (await owner.get('/dashboard')).status]).toEqual([
      303, 303,
    ])
    expect((await phone.get('/dashboard')).status).toBe(200)
  })
})

describe('the proof of identity', () => {
  test('is requested ten minutes after signing in, and the entered form is then carried out', async () => {
    app.time.now += 31 * 60_000
    const form = { email: `later${made}@people.example`, role: 'viewer' }
    const asked = await owner.post('/dashboard/people', form)
    expect(asked.status).toBe(401)
    expect(asked.text).toContain(`name="email" value="${form.email}"`)
    expect((await members()).length).toBe(1)
    const wrong = await owner.post('/dashboard/people', { ...form, proofPassword: 'not my password' })
    expect([wrong.status, wrong.text.includes('The password is wrong')]).toEqual([401, true])
    expect(wrong.text).not.toContain('not my password')
    expect((await members()).length).toBe(1)
    const right = await owner.post('/dashboard/people', { ...form, proofPassword: PASSWORD })
    expect([right.status, linkIn(right.text) !== '']).toEqual([200, true])
    expect((await owner.post('/dashboard/people', { ...form, email: 'b@people.example' })).status).toBe(200)
  })

  test('does not let anyone guess the password in a signed-in browser', async () => {
    app.time.now += 31 * 60_000
    const guess = (n: number) =>
      owner.post('/dashboard/people/remove', { userId: owner.userId, proofPassword: `guess number ${n}` })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await guess(n)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    app.time.now += 60_000
    expect([(await guess(12)).status, (await guess(13)).status]).toEqual([401, 429])
    const elsewhere = await browserOf(app, '').post('/dashboard/sign-in', {
      ...{ email: owner.email, password: PASSWORD },
    })
    expect(elsewhere.status).toBe(303)
  })
})
