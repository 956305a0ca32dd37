import { expect, test } from 'bun:test'
import type { Login, User, UserLink } from '../../../src/domain/user.ts'
import { failureOf, givenMerchant, LATEST, newId, type Open, opening, TEXT, userRow } from './given.ts'

export function peopleContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  async function givenUser(change: Partial<User> = {}): Promise<User> {
    const user = userRow(change)
    await write(tables => tables.users.insert(user))
    return user
  }

  async function givenLogin(userId: string, change: Partial<Login> = {}): Promise<Login> {
    const times = { authenticatedAt: 1, createdAt: 1, lastSeenAt: 1 }
    const login = {
      id: newId(),
      userId,
      merchantId: null,
      userAgent: TEXT,
      address: '::1',
      formKey: TEXT,
      ...times,
      ...change,
    }
    await write(tables => tables.logins.insert(login))
    return login
  }

  test('users are read as they were inserted, and found by email in any case', async () => {
    const user = await givenUser({
      email: 'Ann@People.example',
      isOperator: true,
      passwordHash: TEXT,
      updatedAt: LATEST,
    })
    expect(await read(tables => tables.users.find(user.id))).toEqual(user)
    expect(await read(tables => tables.users.findByEmail('ann@people.EXAMPLE'))).toEqual(user)
    expect(await read(tables => tables.users.find(newId()))).toBe(null)
    expect(await failureOf(givenUser({ email: 'ANN@people.example' }))).toMatch(/^failed/)
    await write(tables => tables.users.update(user.id, { email: 'Bob@People.example', passwordHash: null }))
    expect(await read(tables => tables.users.findByEmail('bob@people.example'))).toMatchObject({
      id: user.id,
    })
    expect(await read(tables => tables.users.findByEmail('ann@people.example'))).toBe(null)
    expect((await read(tables => tables.users.list())).map(({ id }) => id)).toContain(user.id)
  })

  test('a membership is inserted once, changes its role and is removed', async () => {
    const { id: merchantId } = await givenMerchant(engine)
    const other = await givenMerchant(engine)
    const user = await givenUser()
    const of = { userId: user.id, merchantId }
    await write(tables => tables.memberships.put({ ...of, role: 'viewer', createdAt: 5 }))
    await write(tables => tables.memberships.put({ ...of, role: 'staff', createdAt: 9 }))
    const membership = { ...of, role: 'staff', createdAt: 5 } as const
    expect(await read(tables => tables.memberships.find(user.id, merchantId))).toEqual(membership)
    expect(await read(tables => tables.memberships.find(user.id, other.id))).toBe(null)
    expect(await read(tables => tables.memberships.listOfUser(user.id))).toEqual([membership])
    expect(await read(tables => tables.memberships.listOfMerchant(merchantId))).toEqual([
      { ...membership, email: user.email, hasPassword: false },
    ])
    expect(await read(tables => tables.memberships.listOfMerchant(other.id))).toEqual([])
    expect(await write(tables => tables.memberships.remove(user.id, other.id))).toBe(false)
    expect(await write(tables => tables.memberships.remove(user.id, merchantId))).toBe(true)
    expect(await write(tables => tables.memberships.remove(user.id, merchantId))).toBe(false)
  })

  test('logins belong to one user, are sorted by last use, and end', async () => {
    const user = await givenUser()
    const stranger = await givenUser()
    const old = await givenLogin(user.id, { createdAt: 10, lastSeenAt: 20 })
    const idle = await givenLogin(user.id, { createdAt: 100, lastSeenAt: 110 })
    const busy = await givenLogin(user.id, { createdAt: 100, lastSeenAt: 200 })
    const ids = async (userId: string) =>
      (await read(tables => tables.logins.listOfUser(userId))).map(({ id }) => id)
    expect(await ids(user.id)).toEqual([busy.id, idle.id, old.id])
    expect(await read(tables => tables.logins.find(busy.id))).toEqual(busy)
    await write(tables => tables.logins.update(old.id, { lastSeenAt: 300, authenticatedAt: 300 }))
    expect(await ids(user.id)).toEqual([old.id, busy.id, idle.id])
    expect(await write(tables => tables.logins.remove(stranger.id, busy.id))).toBe(false)
    await write(tables => tables.logins.removeOld(100, 111))
    expect(await ids(user.id)).toEqual([busy.id])
    const theirs = await givenLogin(stranger.id, { createdAt: 100, lastSeenAt: 200 })
    await givenLogin(user.id, { createdAt: 100, lastSeenAt: 200 })
    await write(tables => tables.logins.removeOthers(user.id, busy.id))
    expect(await ids(user.id)).toEqual([busy.id])
    await write(tables => tables.logins.removeOthers(user.id, null))
    expect(await ids(user.id)).toEqual([])
    expect(await ids(stranger.id)).toEqual([theirs.id])
  })

  test('a link is used once; unused ones of a user are removed', async () => {
    const user = await givenUser()
    const given = async (change: Partial<UserLink> = {}): Promise<UserLink> => {
      const link = {
        id: newId(),
        purpose: 'password' as const,
        userId: user.id,
        expiresAt: 9,
        usedAt: null,
        ...change,
      }
      await write(tables => tables.userLinks.insert(link))
      return link
    }
    const used = await given()
    expect(await write(tables => tables.userLinks.use(used.id, 7))).toBe(true)
    expect(await write(tables => tables.userLinks.use(used.id, 8))).toBe(false)
    const unused = await given()
    const first = await given({ purpose: 'first', userId: null })
    await write(tables => tables.userLinks.removeUnused(user.id))
    expect(await read(tables => tables.userLinks.find(used.id))).toEqual({ ...used, usedAt: 7 })
    expect(await read(tables => tables.userLinks.find(unused.id))).toBe(null)
    await write(tables => tables.userLinks.removeUnused(null))
    expect(await read(tables => tables.userLinks.find(first.id))).toBe(null)
    expect(await failureOf(given({ userId: null }))).toMatch(/^failed/)
  })

  test('a step of the setup is skipped once, and can be taken up again', async () => {
    const { id } = await givenMerchant(engine)
    const other = await givenMerchant(engine)
    const skipped = (merchantId: string) => read(tables => tables.setup.listSkipped(merchantId))
    await write(tables => tables.setup.skip(id, 'webhook', 1))
    await write(tables => tables.setup.skip(id, 'webhook', 2))
    await write(tables => tables.setup.skip(id, 'product', 3))
    expect((await skipped(id)).toSorted()).toEqual(['product', 'webhook'])
    expect(await skipped(other.id)).toEqual([])
    await write(tables => tables.setup.resume(other.id, 'webhook'))
    await write(tables => tables.setup.resume(id, 'webhook'))
    expect(await skipped(id)).toEqual(['product'])
  })

  test('a second factor is replaced until it is confirmed, and accepts each time step once', async () => {
    const { id: userId } = await givenUser()
    const other = await givenUser()
    const factor = { userId, secret: TEXT, confirmedAt: null, lastStep: 0 }
    const find = () => read(tables => tables.secondFactors.find(userId))
    const useStep = (id: string, step: number) => write(tables => tables.secondFactors.useStep(id, step))
    expect(await find()).toBe(null)
    await write(tables => tables.secondFactors.put({ ...factor, secret: 'A' }))
    await write(tables => tables.secondFactors.put(factor))
    expect(await find()).toEqual(factor)
    expect([await useStep(userId, 7), await useStep(userId, 7), await useStep(userId, 6)]).toEqual([
      true,
      false,
      false,
    ])
    expect(await useStep(other.id, 7)).toBe(false)
    await write(tables => tables.secondFactors.confirm(userId, LATEST))
    await write(tables => tables.secondFactors.put({ ...factor, secret: 'B' }))
    expect(await find()).toEqual({ ...factor, confirmedAt: LATEST, lastStep: 7 })
    expect(await write(tables => tables.secondFactors.remove(other.id))).toBe(false)
    expect(await write(tables => tables.secondFactors.remove(userId))).toBe(true)
    expect(await find()).toBe(null)
  })

  test('recovery codes belong to one user and are used once', async () => {
    const { id: userId } = await givenUser()
    const other = await givenUser()
    const count = () => read(tables => tables.secondFactors.countRecoveryCodes(userId))
    const use = (id: string, hash: string) => write(tables => tables.secondFactors.useRecoveryCode(id, hash))
    await write(tables => tables.secondFactors.putRecoveryCodes(userId, ['a', 'b']))
    await write(tables => tables.secondFactors.putRecoveryCodes(userId, ['b', 'c']))
    expect(await count()).toBe(2)
    expect([await use(userId, 'a'), await use(other.id, 'b')]).toEqual([false, false])
    expect([await use(userId, 'b'), await use(userId, 'b')]).toEqual([true, false])
    expect(await count()).toBe(1)
    await write(tables => tables.secondFactors.remove(userId))
    expect(await count()).toBe(0)
  })

  test('a passkey belongs to one user, and the counter of its device increases or stays at zero', async () => {
    const { id: userId } = await givenUser()
    const other = await givenUser()
    const made = { userId, name: TEXT, publicKey: 'pQ', transports: ['usb'], lastUsedAt: null }
    const first = { ...made, id: newId(), signCount: 0, createdAt: 1 }
    const second = { ...made, id: newId(), signCount: 7, createdAt: 2 }
    await write(tables => tables.passkeys.insert(second))
    await write(tables => tables.passkeys.insert(first))
    const list = () => read(tables => tables.passkeys.listOfUser(userId))
    expect(await list()).toEqual([first, second])
    const use = (id: string, count: number) => write(tables => tables.passkeys.use(id, count, LATEST))
    expect([await use(first.id, 0), await use(first.id, 0), await use(newId(), 0)]).toEqual([
      true,
      true,
      false,
    ])
    expect([await use(first.id, 3), await use(first.id, 0)]).toEqual([true, false])
    expect([await use(second.id, 7), await use(second.id, 0), await use(second.id, 8)]).toEqual([
      false,
      false,
      true,
    ])
    expect(await read(tables => tables.passkeys.find(second.id))).toEqual({
      ...second,
      signCount: 8,
      lastUsedAt: LATEST,
    })
    const rename = (id: string) => write(tables => tables.passkeys.rename(id, second.id, 'Phone'))
    expect([await rename(other.id), await rename(userId)]).toEqual([false, true])
    expect((await list()).map(({ name }) => name)).toEqual([TEXT, 'Phone'])
    const remove = (id: string) => write(tables => tables.passkeys.remove(id, second.id))
    expect([await remove(other.id), await remove(userId), await remove(userId)]).toEqual([false, true, false])
    await write(tables => tables.passkeys.removeOfUser(other.id))
    expect((await list()).length).toBe(1)
    await write(tables => tables.passkeys.removeOfUser(userId))
    expect(await list()).toEqual([])
  })

  test('a challenge is taken once; expired ones and the oldest above a number are removed', async () => {
    const { id: userId } = await givenUser()
    const insert = async (expiresAt: number, now: number, max: number) => {
      const challenge = { id: newId(), userId, expiresAt }
      await write(tables => tables.passkeyChallenges.insert(challenge, now, max))
      return challenge
    }
    const take = ({ id }: { id: string }) => write(tables => tables.passkeyChallenges.take(id))
    const old = await insert(10, 0, 10)
    const [first, second] = [await insert(20, 10, 10), await insert(21, 10, 10)]
    expect(await take(old)).toBe(null)
    const third = await insert(22, 10, 2)
    expect([await take(first), await take(second), await take(second)]).toEqual([null, second, null])
    expect(await take(third)).toEqual(third)
  })

  test('half logins are removed one by one, by user, and when they have expired', async () => {
    const user = await givenUser()
    const other = await givenUser()
    const given = async (userId: string, expiresAt: number) => {
      const half = { id: newId(), userId, expiresAt }
      await write(tables => tables.halfLogins.insert(half))
      return half
    }
    const isThere = async ({ id }: { id: string }) =>
      (await read(tables => tables.halfLogins.find(id))) !== null
    const [first, second, theirs] = [
      await given(user.id, 9),
      await given(user.id, 10),
      await given(other.id, 10),
    ]
    expect(await read(tables => tables.halfLogins.find(first.id))).toEqual(first)
    await write(tables => tables.halfLogins.removeOld(10))
    expect([await isThere(first), await isThere(second)]).toEqual([false, true])
    expect(await write(tables => tables.halfLogins.remove(second.id))).toBe(true)
    expect(await write(tables => tables.halfLogins.remove(second.id))).toBe(false)
    const third = await given(user.id, 10)
    await write(tables => tables.halfLogins.removeOfUser(user.id))
    expect([await isThere(third), await isThere(theirs)]).toEqual([false, true])
  })

  test('a browser is known from the second use on, until it is forgotten', async () => {
    const { id: userId } = await givenUser()
    const other = await givenUser()
    const see = (id: string, at: number, forgottenBefore: number) =>
      write(tables => tables.knownBrowsers.see(id, 'a', at, forgottenBefore))
    expect([await see(userId, 10, 0), await see(userId, 20, 10)]).toEqual([false, true])
    expect(await see(other.id, 20, 0)).toBe(false)
    expect([await see(userId, 30, 20), await see(userId, 40, 31)]).toEqual([true, false])
    const has = (hash: string, since: number) =>
      write(tables => tables.knownBrowsers.has(userId, hash, since))
    expect([await has('a', 40), await has('a', 41), await has('b', 0)]).toEqual([true, false, false])
  })

  test('wrong sign-ins are counted until they expire, and the oldest are forgotten first', async () => {
    const [first, second, third] = [newId(), newId(), newId()]
    const add = (id: string, now: number, max = 100_000) =>
      write(tables => tables.signInFailures.add(id, now, now + 10, max))
    const find = (id: string) => write(tables => tables.signInFailures.find(id))
    expect([await add(first, 1000), await add(first, 1005), await add(second, 1006)]).toEqual([1, 2, 1])
    expect(await find(first)).toEqual({ id: first, count: 2, lastAt: 1005, expiresAt: 1010 })
    for (let times = 0; times < 3; times++) await write(tables => tables.signInFailures.takeBack(first))
    expect((await find(first))?.count).toBe(0)
    expect([await add(first, 1010), await add(second, 1010)]).toEqual([1, 2])
    await add(third, 1012, 1)
    expect([await find(first), await find(second)]).toEqual([await find(first), null])
  })
}
