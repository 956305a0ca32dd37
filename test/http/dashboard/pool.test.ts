import { describe, expect, test } from 'bun:test'
import { LostRace } from '../../../src/domain/errors.ts'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { listNotifications } from '../../../src/operations/notices/list.ts'
import { PASSWORD, signInAs, type UploadFields } from '../../support/dashboard.ts'
import { check as checkOrder, givenMerchant, givenOrder, openCrypto, simulate } from '../../support/given.ts'
import { deriveAddress } from '../../support/known-coins.ts'
import { suite } from '../../support/suite.ts'
import { accounts, phrase } from '../../unit/networks/keys/published.ts'

const PATH = '/dashboard/payouts/btc/pool'
const { key } = accounts.find(({ network, script }) => network === 'btc' && script === 'p2wpkh')!
const { app, each } = suite()
let given = 0
each(() => {
  app.time.now += 60_000
})
const shop = each(() => givenMerchant(app))
const owner = each(() => signInAs(app, 'owner', shop.id))

/** A new address for each test, because an address belongs to one shop only. */
const newAddress = (): string => deriveAddress('btc', key, 'p2wpkh', given++)
/** The address of the token program, which no key signs for. */
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

const check = (text: string, fields: UploadFields = {}, person = owner, path = PATH) =>
  person.upload(`${path}/check`, { do: 'add', text, ...fields })
const draftIn = (text: string): string => /name="draft" value="([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
const save = (draft: string, form: Record<string, string> = { compared: 'yes' }, path = PATH) =>
  owner.post(`${path}/save`, { draft, ...form })

async function add(...addresses: string[]): Promise<void> {
  const page = await check(addresses.join('\n'))
  expect([page.status, page.text.includes('role="alert"')]).toEqual([200, false])
  const saved = await save(draftIn(page.text))
  expect([saved.status, saved.headers.get('location')]).toEqual([
    303,
    `${PATH}?done=added&count=${addresses.length}`,
  ])
}

/** The numbers of free, reserved and used addresses. */
async function counted(): Promise<number[]> {
  const { text } = await owner.get(PATH)
  return [...text.matchAll(/<dd><strong>(\d+)<\/strong>/g)].map(match => Number(match[1]))
}

const kindsOf = async () => (await listNotifications(app.context, shop.id)).map(({ kind }) => kind)

/** The messages about lines. */
const linesIn = (text: string): string[] =>
  [...text.matchAll(/<li>((?:Line|Zeile) \d+: [^<]+)/g)].map(match => match[1]!)

describe('addresses of a pool', () => {
  test('are refused with one message that names the first of many repeated lines', async () => {
    const lines = new Array(30).fill(newAddress())
    const page = await check(lines.join('\n'))
    expect(page.text).toMatch(/line 2, 3, [^<]*, 21 …<\/p>/)
  })

  test('are added from a form and a file, after they were compared', async () => {
    const [FIRST, SECOND, THIRD] = [newAddress(), newAddress(), newAddress()]
    const page = await check(`# my wallet\r\n${FIRST}  # till 1\r\n\r\n${FIRST}`, {
      file: new TextEncoder().encode(`${SECOND}\n${THIRD}\n`),
    })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Add 3 addresses?')
    expect(page.text).toContain('Repeated, so left out: line 4.')
    const draft = draftIn(page.text)
    const unchecked = await save(draft, {})
    expect([unchecked.status, unchecked.text.includes('Compare first')]).toEqual([400, true])
    expect(await counted()).toEqual([0, 0, 0])
    expect((await save(draft)).headers.get('location')).toBe(`${PATH}?done=added&count=3`)
    expect(await counted()).toEqual([3, 0, 0])
    const [entry] = await listAudit(app.context, shop.id, 1)
    expect(entry).toMatchObject({ actor: `user:${owner.userId}`, action: 'address_source.filled' })
    expect(await kindsOf()).toContain('payout_changed')
    expect((await save(draft)).text).toContain('This took too long')
    expect((await check(`${FIRST}\n${SECOND}`)).text).toContain('in the list already. Nothing was changed')
    const list = await owner.get('/dashboard/payouts')
    expect(list.text).toContain('Only 3 addresses are left')
    expect(list.text).toContain(`href="${PATH}"`)
  })

  test('are counted as reserved and used, and stay when a buyer was given them', async () => {
    const [FIRST, SECOND, THIRD] = [newAddress(), newAddress(), newAddress()]
    const LEGACY = [newAddress(), newAddress()]
    await add(FIRST, SECOND, ...LEGACY)
    for (const isPaid of [true, false]) {
      const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
      await openCrypto(app, orderUUID, 'btc')
      if (isPaid) await simulate(app, orderUUID, 'paid')
      if (isPaid) await checkOrder(app, orderUUID)
    }
    expect(await counted()).toEqual([2, 1, 1])
    const given = await check(`${FIRST}\n${LEGACY[0]}\n${THIRD}`, { do: 'takeOut' })
    expect([given.status, linesIn(given.text)]).toEqual([
      400,
      [
        'Line 1: A customer was given this address, so it stays in the list.',
        'Line 3: This address is not in your list.',
      ],
    ])
    const page = await check(LEGACY[0]!, { do: 'takeOut' })
    expect(page.text).toContain('Take out 1 address?')
    expect((await save(draftIn(page.text), {})).headers.get('location')).toBe(`${PATH}?done=takenOut&count=1`)
    expect(await counted()).toEqual([1, 1, 1])
    const emptied = await owner.post(`${PATH}/empty`)
    expect(emptied.headers.get('location')).toBe(`${PATH}?done=takenOut&count=1`)
    expect(await counted()).toEqual([0, 1, 1])
    expect((await owner.get(PATH)).text).toContain('No addresses are left')
    expect(await kindsOf()).toContain('pool_low')
    const [entry] = await listAudit(app.context, shop.id, 1)
    expect(entry).toMatchObject({ action: 'address_source.taken_out', before: { addresses: 3 } })
    await add(...LEGACY)
    expect(await counted()).toEqual([2, 1, 1])
    expect((await owner.post(`${PATH}/reclaim`)).headers.get('location')).toBe(
      `${PATH}?done=reclaimed&count=0`,
    )
  })

  test('are refused line by line, in the language of the page', async () => {
    const [FIRST, SECOND, THIRD] = [newAddress(), newAddress(), newAddress()]
    const other = await givenMerchant(app)
    const stranger = await signInAs(app, 'owner', other.id)
    const theirs = await check(THIRD, {}, stranger)
    await stranger.post(`${PATH}/save`, { draft: draftIn(theirs.text), compared: 'yes' })
    const wrong = `${FIRST}\n${SECOND.slice(0, -1)}${SECOND.endsWith('q') ? 'p' : 'q'}\n\n0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed`
    const page = await check(wrong)
    expect([page.status, linesIn(page.text)]).toEqual([
      400,
      [2, 4].map(line => `Line ${line}: This is not an address of Bitcoin, or it has a typo. Copy it again.`),
    ])
    const taken = await check(`${FIRST}\n${THIRD}`, {}, owner, PATH)
    expect(linesIn(taken.text)).toEqual([
      'Line 2: This address is already used by an extended public key or another shop.',
    ])
    const program = await check(TOKEN_PROGRAM, {}, owner, '/dashboard/payouts/solana/pool')
    expect(linesIn(program.text).join()).toMatch(/^Line 1: This is a public program/)
    expect(await counted()).toEqual([0, 0, 0])
    for (const [text, words] of [
      ['', 'Enter at least one address'],
      ['# nothing\n', 'Enter at least one address'],
      [`${FIRST}\n`.repeat(10_001), 'These are too many'],
      [FIRST, 'There is no list yet'],
    ] as const) {
      const answer = await check(text, text === FIRST ? { do: 'takeOut' } : {})
      expect([answer.status, answer.text.includes(words)]).toEqual([400, true])
    }
  })

  test('that another person changed at the same moment are refused by a sentence about that', async () => {
    const { text } = await check(newAddress())
    const { storage } = app.context
    const write = storage.write.bind(storage)
    storage.write = () => Promise.reject(new LostRace())
    const { text: refused } = await save(draftIn(text))
    storage.write = write
    expect(refused).toContain('Somebody else changed this')
    expect(refused).not.toContain('Enter at least one address')
  })

  test('are refused as a whole if one line can spend, and that line is not repeated', async () => {
    const secrets = [phrase, phrase.replaceAll(' ', '\n'), 'ab'.repeat(32)]
    await add(newAddress())
    for (const secret of secrets)
      for (const what of ['add', 'takeOut']) {
        const page = await check(`${secret}\n`, { do: what })
        expect([page.status, page.text.includes(secret.slice(0, 20))]).toEqual([400, false])
        expect(page.text).toContain('looks like a private key or seed words. It was not stored')
        expect(JSON.stringify(app.logged)).not.toContain(secret.slice(0, 20))
      }
  })
})

describe('people', () => {
  test('prove who they are before a change takes effect, and see only their own list', async () => {
    const [FIRST, SECOND] = [newAddress(), newAddress()]
    const draft = draftIn((await check(FIRST)).text)
    app.time.now += 31 * 60_000
    expect((await save(draft)).text).toContain('proofPassword')
    expect((await owner.post(`${PATH}/empty`)).text).toContain('proofPassword')
    expect((await owner.post(`${PATH}/reclaim`)).text).toContain('proofPassword')
    const other = await givenMerchant(app)
    const stranger = await signInAs(app, 'owner', other.id)
    expect((await stranger.post(`${PATH}/save`, { draft, compared: 'yes' })).text).toContain('took too long')
    expect((await save(draft, { compared: 'yes', proofPassword: PASSWORD })).status).toBe(303)
    expect((await stranger.get(PATH)).text).not.toContain(FIRST)
    expect((await stranger.post(`${PATH}/empty`)).status).toBe(404)
    expect(await counted()).toEqual([1, 0, 0])
    const staff = await signInAs(app, 'staff', shop.id)
    expect((await staff.get(PATH)).status).toBe(403)
    expect((await check(SECOND, {}, staff)).status).toBe(403)
  })

  test('find no list on a network without one, and return to the setup', async () => {
    for (const network of ['xmr', 'bitcoin'])
      expect((await owner.get(`/dashboard/payouts/${network}/pool`)).status).toBe(404)
    expect((await owner.get('/dashboard/payouts/xmr')).text).not.toContain('Use a list of addresses')
    expect((await owner.get('/dashboard/payouts/btc?from=setup')).text).toContain(`href="${PATH}?from=setup"`)
    const page = await check(newAddress(), { from: 'setup' })
    const saved = await save(draftIn(page.text), { compared: 'yes', from: 'setup' })
    expect(saved.headers.get('location')).toBe('/dashboard/setup/payouts?saved')
  })
})
