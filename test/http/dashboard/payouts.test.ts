import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { listSources } from '../../../src/operations/addresses/list-sources.ts'
import { getWallet } from '../../../src/operations/addresses/wallet.ts'
import { listAudit } from '../../../src/operations/audit/read.ts'
import { listNotifications } from '../../../src/operations/notices/list.ts'
import { startApp } from '../../support/app.ts'
import { PASSWORD, signInAs } from '../../support/dashboard.ts'
import { BTC_WALLET, givenMerchant } from '../../support/given.ts'
import { mirrorOf } from '../../support/mirror.ts'
import { merchantOf } from '../../support/monero-payment.ts'
import { suite } from '../../support/suite.ts'
import { accounts, phrase, root } from '../../unit/networks/keys/published.ts'

const PATH = '/dashboard/payouts'
const LOWER_EVM = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const CHECKSUM_EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const { app, each } = suite({
  start: () =>
    startApp(
      { FLORIN_SANDBOX: 'false' },
      { fetch: () => Promise.reject(new Error('no network in this test')) },
    ),
})
each(() => {
  app.time.now += 60_000
})
const shop = each(() => givenMerchant(app))
const owner = each(() => signInAs(app, 'owner', shop.id))

const draftIn = (text: string): string => /name="draft" value="([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
const enter = (network: string, form: Record<string, string>, person = owner) =>
  person.post(`${PATH}/${network}/check`, form)
const save = (network: string, draft: string, person = owner, compared = 'yes') =>
  person.post(`${PATH}/${network}/save`, { draft, compared })

/** Everything in the database and the log. */
function kept(): string {
  const log = JSON.stringify(app.logged)
  const { databaseUrl: url } = app
  if (url) return `${Buffer.from(mirrorOf(url).serialize()).toString('latin1')}\n${log}`
  const files = [app.file, `${app.file}-wal`].map(file => {
    try {
      return readFileSync(file, 'latin1')
    } catch {
      return ''
    }
  })
  return [...files, log].join('\n')
}

describe('a payout address', () => {
  test('is shown with its checksum, and counts only after it was compared', async () => {
    const page = await enter('evm', { text: `  ${LOWER_EVM}\n` })
    expect([page.status, page.text.includes(CHECKSUM_EVM)]).toEqual([200, true])
    const draft = draftIn(page.text)
    const unchecked = await save('evm', draft, owner, '')
    expect([unchecked.status, unchecked.text.includes('Compare first')]).toEqual([400, true])
    expect((await getWallet(app.context, shop.id)).addresses).toEqual({})
    const saved = await save('evm', draft)
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${PATH}?saved=set`])
    expect((await getWallet(app.context, shop.id)).addresses).toEqual({ evm: CHECKSUM_EVM })
    const [entry] = await listAudit(app.context, shop.id, 1)
    expect(entry).toMatchObject({ actor: `user:${owner.userId}`, action: 'wallet.changed' })
    const notifications = await listNotifications(app.context, shop.id)
    expect(notifications.map(({ kind }) => kind)).toContain('payout_changed')
    // A draft can be used only once.
    expect((await save('evm', draft)).text).toContain('This took too long')
  })

  test('is removed', async () => {
    await save('evm', draftIn((await enter('evm', { text: LOWER_EVM })).text))
    expect((await owner.get(`${PATH}/evm`)).text).toContain('Remove the payout wallet')
    const removed = await owner.post(`${PATH}/evm/remove`, { what: 'address' })
    expect([removed.status, removed.headers.get('location')]).toEqual([303, `${PATH}?saved=removed`])
    expect((await getWallet(app.context, shop.id)).addresses).toEqual({})
    expect((await owner.post(`${PATH}/evm/remove`, { what: 'anything' })).status).toBe(404)
  })

  test('is refused with a mistyped letter, and of another network', async () => {
    for (const [network, text] of [
      ['evm', CHECKSUM_EVM.replace('aA', 'aa')],
      ['evm', BTC_WALLET],
      ['btc', LOWER_EVM],
      ['btc', ''],
      ['solana', 'not an address'],
    ] as const) {
      const answer = await enter(network, { text })
      expect([network, text, answer.status]).toEqual([network, text, 400])
      expect(answer.text).toContain('This is not an address or a key')
      expect(answer.text).toContain('></textarea>')
    }
  })

  test('alone is not enough on Bitcoin, which the page says before saving', async () => {
    const page = await enter('btc', { text: BTC_WALLET })
    expect(page.text).toContain('An address alone is not enough on this network')
    const enough = 'The address of your wallet is enough.'
    const pages = await Promise.all(['btc', 'evm'].map(network => owner.get(`${PATH}/${network}`)))
    expect(pages.map(({ text }) => text.includes(enough))).toEqual([false, true])
    expect((await enter('evm', { text: LOWER_EVM })).text).not.toContain('An address alone is not enough')
  })
})

describe('an account key', () => {
  test('shows the first three addresses, and is saved as the command line does', async () => {
    const account = accounts.find(({ network, script }) => network === 'btc' && script === 'p2wpkh')!
    const page = await enter('btc', { text: account.key })
    expect(page.status).toBe(200)
    expect(page.text).toContain(account.addresses[0]!)
    expect(page.text.match(/<li class="code"/g)).toHaveLength(3)
    expect(page.text).not.toContain(account.key)
    expect(await listSources(app.context, shop.id)).toEqual([])
    expect((await save('btc', draftIn(page.text))).status).toBe(303)
    const [set] = await listSources(app.context, shop.id)
    expect(set?.setUps[0]?.source).toMatchObject({ kind: 'xpub', key: account.key, nextIndex: 0 })
    const list = await owner.get(PATH)
    expect(list.text).toContain('Extended public key')
    expect(list.text).toContain(
      'Set the gap limit of your wallet (how many unused addresses in a row it looks through) to at least',
    )
    expect(list.text).not.toContain(account.key)
    await owner.post(`${PATH}/btc/remove`, { what: 'xpub' })
    expect(await listSources(app.context, shop.id)).toEqual([])
    const notifications = await listNotifications(app.context, shop.id)
    const changes = notifications.filter(({ kind }) => kind === 'payout_changed')
    expect(changes).toHaveLength(2)
    expect(JSON.stringify(changes)).not.toContain(account.key)
  })

  test('is accepted in the form that the wallet shows', async () => {
    const account = accounts.find(({ key, network }) => network === 'btc' && key.startsWith('xpub'))!
    const first = await enter('btc', { text: account.key })
    expect(first.text).toContain('My wallet shows this one')
    const [, script = '', address = ''] =
      /name="script" value="([^"]+)">\s*<p class="code" dir="ltr">([^<]+)/.exec(first.text) ?? []
    const second = await enter('btc', { draft: draftIn(first.text), script })
    expect(/<li class="code" dir="ltr">([^<]+)/.exec(second.text)?.[1]).toBe(address)
  })

  test('belongs to one shop', async () => {
    const { key } = accounts.find(({ network }) => network === 'ltc')!
    await save('ltc', draftIn((await enter('ltc', { text: key })).text))
    const other = await givenMerchant(app)
    const answer = await enter('ltc', { text: key }, await signInAs(app, 'owner', other.id))
    expect([answer.status, answer.text.includes('already belongs to another shop')]).toEqual([400, true])
  })
})

describe('a Monero wallet', () => {
  test('is set with its view key, which no page shows', async () => {
    const wallet = merchantOf('a shop')
    const page = await enter('xmr', { text: wallet.payout, viewKey: wallet.viewKey })
    expect(page.status).toBe(200)
    expect(page.text.match(/<li class="code"/g)).toHaveLength(3)
    expect(page.text).not.toContain(wallet.viewKey)
    expect((await save('xmr', draftIn(page.text))).status).toBe(303)
    for (const path of [PATH, `${PATH}/xmr`])
      expect((await owner.get(path)).text).not.toContain(wallet.viewKey)
    expect(JSON.stringify(app.logged)).not.toContain(wallet.viewKey)
    const [set] = await listSources(app.context, shop.id)
    expect(set?.setUps[0]?.source).toMatchObject({ kind: 'viewkey', key: wallet.viewKey })
  })

  test('is refused with the key of another wallet, the spend key, and without a key', async () => {
    const wallet = merchantOf('a second shop')
    const other = merchantOf('another wallet')
    for (const viewKey of [other.viewKey, wallet.spendKey, '']) {
      const answer = await enter('xmr', { text: wallet.payout, viewKey })
      expect([answer.status, answer.text.includes('do not belong together')]).toEqual([400, true])
      expect(answer.text).not.toContain(wallet.payout)
      if (viewKey) expect(`${answer.text}${kept()}`).not.toContain(viewKey)
    }
  })
})

describe('a key or phrase that can spend', () => {
  const hex = 'f3'.repeat(32)
  const words = phrase.split(' ')
  const secrets: [name: string, text: string][] = [
    ['12 words', phrase],
    ['24 words', `${'zoo '.repeat(23)}vote`],
    ['12 numbered words', words.map((word, at) => `${at + 1}. ${word}`).join('\n')],
    ['12 words with commas', words.join(', ')],
    ['64 hexadecimal digits', hex],
    ['64 hexadecimal digits after 0x', `0x${hex}`],
    ['WIF', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'],
    ['an extended private key', root.privateExtendedKey],
  ]

  test.each(secrets)('is refused on every network, and stored nowhere: %s', async (_, secret) => {
    for (const network of ['evm', 'btc', 'bitcoincash', 'ltc', 'doge', 'solana', 'trc20', 'zec', 'xmr']) {
      const answer = await enter(network, { text: secret, viewKey: secret })
      expect([network, answer.status]).toEqual([network, 400])
      expect(answer.text).toContain('This looks like a private key or seed words')
      expect(answer.text).not.toContain(secret)
      expect(answer.text).toContain('></textarea>')
    }
    for (const part of [secret, secret.slice(0, 40)]) expect(kept()).not.toContain(part)
    expect(await listSources(app.context, shop.id)).toEqual([])
  })
})

describe('people', () => {
  test('of the shop see where money goes, and only owners change it', async () => {
    await save('evm', draftIn((await enter('evm', { text: LOWER_EVM })).text))
    for (const role of ['viewer', 'staff'] as const) {
      const person = await signInAs(app, role, shop.id)
      const list = await person.get(PATH)
      expect([list.status, list.text.includes(CHECKSUM_EVM)]).toEqual([200, true])
      expect(list.text).not.toContain(`href="${PATH}/evm"`)
      expect((await person.get(`${PATH}/evm`)).status).toBe(403)
      expect((await enter('evm', { text: LOWER_EVM }, person)).status).toBe(403)
    }
    expect((await owner.get(PATH)).text).toContain(`href="${PATH}/evm"`)
  })

  test('of another shop can neither see nor save a draft', async () => {
    const draft = draftIn((await enter('evm', { text: LOWER_EVM })).text)
    const other = await givenMerchant(app)
    const stranger = await signInAs(app, 'owner', other.id)
    const answer = await save('evm', draft, stranger)
    expect([answer.status, answer.text.includes(CHECKSUM_EVM)]).toEqual([400, false])
    expect((await getWallet(app.context, other.id)).addresses).toEqual({})
    expect((await stranger.get(PATH)).text).not.toContain(CHECKSUM_EVM)
    app.time.now += 61 * 60_000
    const late = await owner.post(`${PATH}/evm/save`, { draft, compared: 'yes', proofPassword: PASSWORD })
    expect(late.text).toContain('This took too long')
  })

  test('enter the password again before a change counts, and no page contains what they enter', async () => {
    const draft = draftIn((await enter('evm', { text: LOWER_EVM })).text)
    app.time.now += 31 * 60_000
    const asked = await save('evm', draft)
    expect(asked.text).toContain('proofPassword')
    expect((await getWallet(app.context, shop.id)).addresses).toEqual({})
    const form = { draft, compared: 'yes', proofPassword: PASSWORD }
    app.time.now += 60_000
    expect((await owner.post(`${PATH}/evm/save`, form)).status).toBe(303)
    app.time.now += 31 * 60_000
    expect((await owner.post(`${PATH}/evm/remove`, { what: 'address' })).text).toContain('proofPassword')
    expect((await getWallet(app.context, shop.id)).addresses).toEqual({ evm: CHECKSUM_EVM })
    const refused = await enter('btc', { text: phrase })
    expect([refused.status, refused.text.includes(phrase)]).toEqual([400, false])
  })

  test('are referred to what is missing: operators choose it, and others ask them', async () => {
    const page = await owner.get(`${PATH}/btc`)
    expect(page.text).toContain('Ask the operator of this server')
    expect(page.text).toContain('Bitcoin: an endpoint of Bitcoin')
    expect(page.text).not.toContain('href="/dashboard/endpoints')
    const operator = await signInAs(app, 'operator', shop.id)
    expect((await operator.get(`${PATH}/btc?lang=de`)).text).toContain(
      'href="/dashboard/endpoints/btc?back=btc"',
    )
    const fromSetup = await operator.get(`${PATH}/btc?from=setup`)
    expect(fromSetup.text).toContain('href="/dashboard/endpoints/btc?back=setup-btc"')
    const chain = await operator.get('/dashboard/endpoints/btc')
    expect(chain.text).toContain('esplora+https://mempool.space/api')
    expect(chain.text).toContain('The addresses that your customers pay to')
    for (const [back, url] of [
      ['setup-btc', `${PATH}/btc?from=setup`],
      ['btc', `${PATH}/btc`],
    ] as const)
      for (const path of ['/dashboard/endpoints', '/dashboard/endpoints/btc']) {
        const page = await operator.get(`${path}?back=${back}`)
        expect(page.text).toContain(`<a href="${url}">Back to the wallet: Bitcoin</a>`)
        expect(page.text).toContain(`name="back" value="${back}"`)
      }
    const odd = await operator.get('/dashboard/endpoints/btc?back=https://evil.example')
    expect([odd.status, /name="back"|href="https:\/\/evil/.test(odd.text)]).toEqual([200, false])
  })

  test('see which coins lack an endpoint, a rate or a source of addresses', async () => {
    await save('evm', draftIn((await enter('evm', { text: LOWER_EVM })).text))
    const { text } = await owner.get(PATH)
    expect(text).toContain('Needs an endpoint for this network.')
    expect(text).toContain('Separate contract for each payment')
    const wallet = { text: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN' }
    await save('solana', draftIn((await enter('solana', wallet)).text))
    const solana = await owner.get(`${PATH}/solana`)
    expect(solana.text).toContain('Enter an address list for this coin.')
    expect(solana.text).not.toContain('an extended public key or an address list')
    const german = await owner.get(`${PATH}?lang=de`)
    expect(german.text).toContain('Braucht einen Endpunkt für dieses Netzwerk.')
  })

  test('see which sources were asked for a price, and which have one', async () => {
    const { storage, upstreams } = app.context
    const wallet = { text: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }
    await save('trc20', draftIn((await enter('trc20', wallet)).text))
    const priced = async (...names: string[]) => {
      await storage.write(async ({ chosenRateSources: chosen }) => {
        for (const name of await chosen.list()) await chosen.remove(name)
        for (const name of names) await chosen.add(name, app.time.now)
      })
      await upstreams.reload()
      return (await owner.get(`${PATH}/trc20`)).text
    }
    expect(await priced()).toContain('<span class="lack">Needs an exchange rate source.</span>')
    const coinbase = await priced('coinbase')
    expect(coinbase).not.toContain('Needs an exchange rate source')
    const lack = 'No price from Coinbase. Two of these sources are needed: Kraken, Binance, CoinGecko.'
    expect(coinbase).toContain(`<span class="lack">${lack}</span>`)
    expect(coinbase).toContain(`TRX on TRON: ${lack}`)
    const both = await priced('coinbase', 'kraken')
    expect(both).toContain('Only Kraken has a price. If there are several sources, two must agree.')
    expect(both).toContain('One of these sources is needed too: Binance, CoinGecko.')
    const silent = await priced('kraken', 'coingecko')
    expect(silent).toContain('No usable price from CoinGecko, Kraken now.')
    const german = (await owner.get(`${PATH}/trc20?lang=de`)).text
    expect(german).toContain('Derzeit kein brauchbarer Preis von CoinGecko, Kraken.')
    await priced()
  })
})
