import { expect, test } from 'bun:test'
import type { WalletNetwork } from '../../../src/domain/asset.ts'
import type { WalletFault, WalletFaultKind } from '../../../src/domain/wallet-fault.ts'
import { faultText, payoutProblemText } from '../../../src/http/dashboard/payouts/fault-text.ts'
import { dashboardLanguages, dashboardLocale } from '../../../views/dashboard/locale.ts'
import { startApp } from '../../support/app.ts'
import { signInAs } from '../../support/dashboard.ts'
import { givenMerchant } from '../../support/given.ts'
import { merchantOf } from '../../support/monero-payment.ts'
import { suite } from '../../support/suite.ts'
import { phrase, root, withDepth, withVersion } from '../../unit/networks/keys/published.ts'

const keyOf = { prefix: 'xpub', prefixes: 'xpub or zpub', network: 'btc' }
const scripts = 'p2pkh, p2wpkh'
const path = "m/84'/0'/0'"

/** One fault of each kind. The compiler names missing kinds. */
const samples: { [Kind in WalletFaultKind]: Omit<WalletFault<Kind>, 'kind'> } = {
  privateKey: {},
  exposed: {},
  notAnAddress: {},
  addressOfOther: { networks: ['btc'] },
  testAddress: {},
  nameEntered: {},
  linkEntered: {},
  reserved: {},
  ownerless: {},
  publicContract: {},
  publicProgram: {},
  tokenContract: {},
  givenToBuyer: {},
  otherAddress: { network: 'trc20' },
  programAddress: {},
  notAWallet: { address: 'A'.repeat(40), program: 'P'.repeat(40) },
  payoutWallet: {},
  notListed: {},
  isGiven: {},
  inUse: {},
  noAccountKeys: { instead: 'Use an address.' },
  malformedKey: { prefixes: 'xpub or zpub' },
  keyBelowAccount: { depth: 4, path },
  keyAboveAccount: { depth: 1, path },
  scriptUnknown: { prefix: 'xpub', depth: 1, scripts },
  noScripts: { network: 'doge' },
  otherScripts: { network: 'ltc', scripts },
  scriptOfKey: { prefix: 'zpub', script: 'p2wpkh', given: 'p2pkh' },
  testKey: keyOf,
  multisigKey: keyOf,
  unsupportedKey: { prefixes: 'xpub', network: 'btc' },
  otherNetworkKey: { ...keyOf, networks: ['ltc', 'doge'] },
  scriptAssumed: { script: 'p2wpkh' },
  electrumKey: { depth: 1 },
  lightningName: {},
  lightningService: {},
  lightningVerify: {},
  lightningInvoice: {},
  lightningAmount: {},
  lightningAway: {},
  lightningPrivate: { host: 'node.lan:8080' },
  lightningUrl: {},
  lightningNode: {},
  lightningSecret: {},
  lightningRights: {},
  lightningPays: {},
  notMonero: {},
  integrated: {},
  subaddress: {},
  viewKeyWords: {},
  viewKeyForm: {},
  spendKey: {},
  publicViewKey: {},
  viewKeyRange: {},
  otherViewKey: {},
  viewKeyMissing: {},
  otherPayout: {},
}

const walletFaultKinds = Object.keys(samples) as WalletFaultKind[]

const localeOf = (tag: string) => dashboardLocale(tag, 'UTC')
const textOf = (tag: string, kind: WalletFaultKind): string =>
  faultText(localeOf(tag), { kind, ...samples[kind] } as WalletFault)

test('every fault has a sentence of its own in each language, with names instead of IDs', () => {
  for (const tag of dashboardLanguages) {
    const texts = walletFaultKinds.map(kind => textOf(tag, kind))
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.filter(text => !/^[^a-z].{20,}[.]$/.test(text))).toEqual([])
    expect(texts.filter(text => /undefined|\[object|trc20|\bbtc\b|\bltc\b|florin /.test(text))).toEqual([])
  }
  expect(walletFaultKinds.filter(kind => textOf('en', kind) === textOf('de', kind))).toEqual([])
})

test('every fault of a payout wallet has a sentence of its own, too', () => {
  const upstreams = { chains: () => [{ chain: 'base', name: 'Base', origin: 'none' as const, used: [] }] }
  const kinds = [
    { isCoinOnly: false, deployedOn: ['ethereum'] },
    { isCoinOnly: false, deployedOn: [] },
    { isCoinOnly: true, deployedOn: [] },
  ]
  for (const kind of kinds) {
    const problem = { ...kind, chain: 'base', reason: 'is not shown' }
    const texts = dashboardLanguages.map(tag =>
      payoutProblemText({ upstreams } as never, localeOf(tag), problem),
    )
    expect(new Set(texts).size).toBe(dashboardLanguages.length)
    for (const text of texts) expect(text).toMatch(/^[^/]*Base[^/]*[.]$/)
  }
})

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
const owner = each(async () => signInAs(app, 'owner', (await givenMerchant(app)).id))

const xpub = root.derive("m/84'/0'/0'").publicExtendedKey
const monero = merchantOf('a shop')

/** The text that a person enters, and the fault that the page shows for it. */
const entered: [kind: WalletFaultKind, network: WalletNetwork, text: string, viewKey?: string][] = [
  ['notAnAddress', 'btc', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyx'],
  ['addressOfOther', 'evm', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['testAddress', 'btc', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['nameEntered', 'evm', 'shop.eth'],
  ['linkEntered', 'evm', 'https://etherscan.io/address/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['reserved', 'evm', '0x0000000000000000000000000000000000000001'],
  ['ownerless', 'evm', '0x000000000000000000000000000000000000dEaD'],
  ['publicContract', 'evm', '0xcA11bde05977b3631167028862bE2a173976CA11'],
  ['publicProgram', 'solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
  ['tokenContract', 'evm', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  ['malformedKey', 'btc', xpub.slice(0, -4)],
  ['keyBelowAccount', 'btc', withDepth(xpub, 4)],
  ['keyAboveAccount', 'evm', withDepth(xpub, 2)],
  ['scriptUnknown', 'btc', withDepth(xpub, 1)],
  ['testKey', 'btc', withVersion(xpub, 0x043587cf)],
  ['multisigKey', 'btc', withVersion(xpub, 0x02aa7ed3)],
  ['unsupportedKey', 'btc', withVersion(xpub, 0x12345678)],
  ['otherNetworkKey', 'doge', withVersion(xpub, 0x04b24746)],
  ['scriptAssumed', 'btc', xpub],
  ['notMonero', 'xmr', 'not an address', monero.viewKey],
  ['subaddress', 'xmr', monero.own(1).address, monero.viewKey],
  ['viewKeyForm', 'xmr', monero.payout, 'abc'],
  ['spendKey', 'xmr', monero.payout, monero.spendKey],
  ['otherViewKey', 'xmr', monero.payout, merchantOf('another shop').viewKey],
  ['viewKeyMissing', 'xmr', monero.payout, ''],
]

/** The text as it is escaped in a page. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

test.each(entered)('a German page shows a fault in German: %s', async (kind, network, text, ...[viewKey]) => {
  const form = { text, ...(viewKey !== undefined && { viewKey }) }
  const page = await owner.post(`/dashboard/payouts/${network}/check?lang=de`, form)
  const [start = ''] = textOf('de', kind).split(/xpub|p2wpkh|\d|Bitcoin/)
  expect(page.text).toContain(escaped(start))
  expect(page.text).not.toContain('lang="en"')
  expect(page.text).not.toContain(text.slice(0, 60).padEnd(20, '?'))
})

test('an account key of Electrum is read once its type of addresses was chosen', async () => {
  const key = withDepth(xpub, 1)
  const asked = await owner.post('/dashboard/payouts/btc/check', { text: key })
  const [, chosen = ''] = /<select id="script"(.*?)<\/select>/s.exec(asked.text) ?? []
  expect([...chosen.matchAll(/<option value="([^"]+)"/g)].map(match => match[1])).toEqual([
    ...['p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'p2tr'],
  ])
  expect(asked.text).toContain('bc1q… is Native SegWit')
  const read = await owner.post('/dashboard/payouts/btc/check', { text: key, script: 'p2wpkh' })
  expect([read.status, read.text.match(/<li class="code"/g)?.length]).toEqual([200, 3])
  expect(read.text).toContain('the form that Electrum exports')
  expect(read.text).not.toContain(key)
  const words = await owner.post('/dashboard/payouts/xmr/check?lang=de', { text: phrase, viewKey: '' })
  expect(words.text).toContain('Das sieht nach einem privaten Schlüssel')
})
