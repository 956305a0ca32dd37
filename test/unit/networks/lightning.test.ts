import { expect, test } from 'bun:test'
import { bech32 } from '@scure/base'
import { accountOfNode, readAddress } from '../../../src/networks/lightning/account.ts'
import { readInvoice } from '../../../src/networks/lightning/bolt11.ts'
import { checkInvoice } from '../../../src/networks/lightning/check-bolt11.ts'
import { macaroonOf, requireReceiving } from '../../../src/networks/lightning/sources/macaroon.ts'
import { conversationKey, decrypt44, encrypt44 } from '../../../src/networks/lightning/sources/nip44.ts'
import { requireReceivingRune } from '../../../src/networks/lightning/sources/rune.ts'
import type { AccountError } from '../../../src/networks/port.ts'
import { macaroonWith, runeWith } from '../../support/lightning-node-servers.ts'

/** The examples of BOLT #11. All have the same node and payment hash. */
const donation =
  'lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql'
const coffee =
  'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh'
const hashed =
  'lnbc20m1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqs9qrsgq7ea976txfraylvgzuxs8kgcw23ezlrszfnh8r6qtfpr6cxga50aj6txm9rxrydzd06dfeawfk6swupvz4erwnyutnjq7x39ymw6j38gp7ynn44'

const SECOND_MS = 1000
const node = '03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad'
const paymentHash = '0001020304050607080900010203040506070809000102030405060708090102'
const descriptionHash = '3925b6f67e2c340036ed12093dd44e0368df1b6ea26c53dbe4811f58fd5db8c1'

test.each([
  ['any amount', donation, null, null, 3600],
  ['2,500 millionths of a bitcoin, a minute', coffee, 250_000_000n, null, 60],
  ['20 thousandths, with a hash of the description', hashed, 2_000_000_000n, descriptionHash, 3600],
])('the example of %s is read, also in upper case', (_, text, amountMsat, hash, expiryS) => {
  const createdAt = 1_496_314_658 * SECOND_MS
  const expected = {
    prefix: 'bc',
    amountMsat,
    paymentHash,
    descriptionHash: hash,
    node,
    unknownFeature: null,
  }
  const read = { ...expected, createdAt, expiresAt: createdAt + expiryS * SECOND_MS }
  expect(readInvoice(text)).toEqual(read)
  expect(readInvoice(text.toUpperCase())).toEqual(read)
})

/** An invoice with changed words, and the checksum that fits them. */
function changed(text: string, change: (words: number[]) => number[], prefix?: string): string {
  const decoded = bech32.decode(text as `${string}1${string}`, false)
  return bech32.encode(prefix ?? decoded.prefix, change([...decoded.words]), false)
}

const same = (words: number[]) => words

test.each([
  ['letters in both cases', coffee.replace('2500u', '2500U')],
  ['a wrong checksum', `${coffee.slice(0, -1)}q`],
  ['another prefix', changed(coffee, same, 'lx2500u')],
  ['less than a thousandth of a satoshi', changed(coffee, same, 'lnbc2501p')],
  ['an unknown multiplier', changed(coffee, same, 'lnbc2500x')],
  ['no fields', changed(coffee, words => words.slice(-104))],
  ['no payment hash', changed(coffee, words => [...words.slice(0, 7), ...words.slice(-104)])],
  ['a field that is cut', changed(coffee, words => [...words.slice(0, 40), ...words.slice(-104)])],
  ['a signature of zeros', changed(coffee, words => [...words.slice(0, -104), ...Array(104).fill(0)])],
])('an invoice with %s is refused', (_, text) => {
  expect(() => readInvoice(text)).toThrow()
})

test('an invoice with another amount under the same signature belongs to another node', () => {
  expect(readInvoice(changed(coffee, same, 'lnbc2400u')).node).not.toBe(node)
})

const url = 'https://wallet.example/.well-known/lnurlp/shop'
const lnurl = bech32.encode('lnurl', bech32.toWords(new TextEncoder().encode(url)), false)

test.each([
  ['shop@wallet.example', 'shop@wallet.example', url],
  [' Shop@Wallet.Example ', 'shop@wallet.example', url],
  ['lightning:shop@wallet.example', 'shop@wallet.example', url],
  ['shop+tips@wallet.example', 'shop+tips@wallet.example', `${url}+tips`],
  ['shop@127.0.0.1:9000', 'shop@127.0.0.1:9000', 'http://127.0.0.1:9000/.well-known/lnurlp/shop'],
  [lnurl, url, url],
  [`lightning:${lnurl.toUpperCase()}`, url, url],
  ['lnurlp://wallet.example/pay?id=1', 'https://wallet.example/pay?id=1', 'https://wallet.example/pay?id=1'],
])('%s is an account', (entered, text, to) => {
  expect(readAddress(entered)).toMatchObject({ text, url: to })
})

test.each([
  '',
  'shop',
  'shop@',
  '@wallet.example',
  'shop@wallet.example/path',
  'shöp@wallet.example',
  'a b@wallet.example',
  'http://wallet.example/pay',
  'https://user@wallet.example/pay',
  'https://wallet.example/pay#part',
  `${lnurl}q`,
  coffee,
])('%p is not an account', text => {
  expect(readAddress(text)).toBe(null)
})

const refusalOf = (check: () => void): string | null => {
  try {
    check()
    return null
  } catch (error) {
    return (error as AccountError).wallet.kind
  }
}

const invoices = ['address:read', 'address:write', 'invoices:read', 'invoices:write', 'onchain:read']
const calls = ['uri:/lnrpc.Lightning/AddInvoice', 'uri:/lnrpc.Lightning/LookupInvoice']

test.each<[string, readonly string[], string | null]>([
  ['of invoices', invoices, null],
  ['of two calls', calls, null],
  ['of invoices and reading', [...invoices, 'offchain:read', 'info:read', 'peers:read'], null],
  ['that pays', [...invoices, 'offchain:write'], 'lightningPays'],
  ['that sends on chain', [...invoices, 'onchain:write'], 'lightningPays'],
  ['that makes macaroons', [...invoices, 'macaroon:generate'], 'lightningPays'],
  ['that signs', [...invoices, 'signer:generate'], 'lightningPays'],
  ['of a call that pays', [...calls, 'uri:/lnrpc.Lightning/SendPaymentSync'], 'lightningPays'],
  ['that only reads', ['invoices:read'], 'lightningRights'],
  ['of nothing', [], 'lightningRights'],
])('a macaroon %s is used or refused', (_, rights, fault) => {
  const macaroon = macaroonWith(rights)
  expect(refusalOf(() => requireReceiving(macaroonOf(macaroon)))).toBe(fault)
  const inBase64 = Buffer.from(macaroon, 'hex').toString('base64url')
  expect(refusalOf(() => requireReceiving(macaroonOf(inBase64)))).toBe(fault)
})

test.each<[string, string | null]>([
  ['method=invoice|method=listinvoices', null],
  ['method=invoice|method^list|method^get&rate=60', null],
  ['method=invoice|method=listinvoices|method=pay', 'lightningPays'],
  ['method^l|method=invoice', 'lightningPays'],
  ['method/pay', 'lightningPays'],
  ['rate=60', 'lightningPays'],
  ['', 'lightningPays'],
  ['method=invoice\\|method=listinvoices', 'lightningPays'],
  ['method=listinvoices', 'lightningRights'],
  ['method=invoice|method=listinvoices&method=listinvoices', 'lightningRights'],
])('a rune with the restrictions "%s" is used or refused', (restrictions, fault) => {
  expect(refusalOf(() => requireReceivingRune(runeWith(restrictions)))).toBe(fault)
})

test('a text that is neither a macaroon nor a rune is refused', () => {
  for (const text of ['', 'x', '02', '0201036c6e6402', 'ü', 'zz'.repeat(40)]) {
    expect(refusalOf(() => requireReceiving(macaroonOf(text)))).toBe('lightningSecret')
    expect(refusalOf(() => requireReceivingRune(text))).not.toBe(null)
  }
})

test('messages are encrypted as in NIP-44, also padded', () => {
  const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
  const own = conversationKey(
    hex('315e59ff51cb9209768cf7da80791ddcaae56ac9775eb25b6dee1234bc5d2268'),
    'c2f9d9948dc8c7c38321e4b85c8558872eafa0641cd269db76848a6073e69133',
  )
  expect(Buffer.from(own).toString('hex')).toBe(
    '3dfef0ce2a4d80a25e7a328accf73448ef67096f65f79588e358d9a0eb9013f1',
  )
  const key = hex('c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d')
  const sealed =
    'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABee0G5VSK0/9YypIObAtDKfYEAjD35uVkHyB0F4DwrcNaCXlCWZKaArsGrY6M9wnuTMxWfp1RTN9Xga8no+kF5Vsb'
  expect(encrypt44(key, 'a', hex('01'.padStart(64, '0')))).toBe(sealed)
  expect(decrypt44(key, sealed)).toBe('a')
  expect(decrypt44(own, sealed)).toBe(null)
  for (const length of [1, 32, 33, 256, 257, 1000, 5000]) {
    const text = 'x'.repeat(length)
    expect(decrypt44(key, encrypt44(key, text))).toBe(text)
  }
})

test.each<[string, string | null]>([
  ['https://node.example:8080', 'lnd+https://node.example:8080'],
  [' https://node.example/lnd/ ', 'lnd+https://node.example/lnd'],
  ['https://user:password@node.example', null],
  ['https://node.example?macaroon=00', null],
  ['https://node.example#owner', null],
  ['ftp://node.example', null],
  ['node.example', null],
])('the URL of a node is stored without secrets: %s', (url, text) => {
  const account = accountOfNode({ kind: 'lnd', url, store: '', certificate: null })
  expect(account?.text ?? null).toBe(text)
})

test('a Lightning address cannot name the node of another shop', () => {
  expect(readAddress('lnd+https://node.example#0198')).toBe(null)
  expect(readAddress('nwc+wss://relay.example#0198')).toBe(null)
})

test.each<[string, object, string | null]>([
  ['as it was asked for', {}, null],
  ['for another network', { prefix: 'bcrt' }, 'is for another network'],
  ['over another amount', { amountMsat: 1n }, 'asks for another amount'],
  ['about another payment', { metadataHash: paymentHash }, 'describes another payment'],
  ['of another time', { now: 1_496_314_658_000 + 601_000 }, 'has a time that is more than 10 minutes wrong'],
])('an invoice %s is accepted or refused', (_, change, problem) => {
  const wanted = {
    amountMsat: 2_000_000_000n,
    metadataHash: descriptionHash,
    now: 1_496_314_658_000,
    prefix: 'bc',
  }
  const check = () => checkInvoice(hashed, { ...wanted, ...change })
  if (problem === null) expect(check().descriptionHash).toBe(descriptionHash)
  else expect(check).toThrow(problem)
})
