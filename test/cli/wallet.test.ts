import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { merchantOf } from '../support/monero-payment.ts'
import { endProcesses, FLORIN, newFolder } from '../support/process.ts'
import { accounts } from '../unit/networks/keys/published.ts'
import { BTC_WALLET } from './commands.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

/** The account of BIP84's test vector. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const FIRST = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  'bc1qp59yckz4ae5c4efgw2s5wfyvrz0ala7rgvuz8z',
]
const XPRV = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").privateExtendedKey

const florin = florinHere()

function keyFile(content: string): string {
  const file = join(newFolder(), 'key.txt')
  writeFileSync(file, `${content}\n`)
  return file
}

describe('an account key', () => {
  test('is refused if it is private, mistyped, of another coin, or for a network without accounts', async () => {
    const { merchantId } = await florin.merchant('refused@shop.example')
    const args = (network: string, key: string, ...more: string[]) => [
      'wallet',
      'xpub',
      '--merchant',
      merchantId,
      '--network',
      network,
      ...more,
      '--yes',
      '--key-file',
      keyFile(key),
    ]
    await florin.refuses([
      ['a private key', args('btc', XPRV), /private/i],
      ['a mistyped key', args('btc', `${ZPUB.slice(0, -1)}t`), /copy|check/i],
      ['another coin', args('doge', ZPUB), /doge/i],
      ['a network without accounts', args('solana', ZPUB), /solana/],
      ['an unknown network', args('bitcoin', ZPUB), /must be one of evm, btc/],
      ['an unknown script', args('btc', ZPUB, '--script', 'p2wsh'), /p2wpkh/],
      ['a script that the key contradicts', args('btc', ZPUB, '--script', 'p2pkh'), /zpub/],
      [
        'no key',
        ['wallet', 'xpub', '--merchant', merchantId, '--network', 'btc'],
        /key: must be given as 1 line/,
      ],
      ['an unknown merchant', args('btc', ZPUB).with(3, '0190a5a0-0000-7000-8000-000000000000'), /merchant/],
      [
        'one to stop that is not there',
        ['wallet', 'xpub', '--merchant', merchantId, '--network', 'btc', '--stop'],
        /no xpub on btc/,
      ],
    ])
  })

  test('is saved and printed with its first addresses, which match the published vector', async () => {
    const { merchantId } = await florin.merchant('account@shop.example')
    const kept = await florin.json(
      'wallet',
      'xpub',
      '--merchant',
      merchantId,
      '--network',
      'btc',
      '--yes',
      '--key-file',
      keyFile(ZPUB),
    )
    expect(kept).toEqual({ merchantId, network: 'btc', kind: 'xpub', script: 'p2wpkh', addresses: FIRST })
    const ran = await florin.run('wallet', 'sources', '--merchant', merchantId)
    expect(ran.stdout).toMatch(/xpub zpub6rFR…2AGutZYs: 0 used, next index 0/)
    expect(ran.stdout).not.toContain(ZPUB)
    const [btc] = (await florin.json('wallet', 'sources', '--merchant', merchantId)).items
    expect(btc).toMatchObject({
      network: 'btc',
      payoutAddress: null,
      setUp: [{ kind: 'xpub', script: 'p2wpkh', nextIndex: 0, given: 0, free: null }],
      assets: [{ assetId: 'btc', source: 'xpub', watched: false }],
    })
  })

  test('for a taproot account is saved with its script, and prints the addresses of BIP86', async () => {
    const { merchantId } = await florin.merchant('taproot@shop.example')
    const { key, addresses } = accounts.find(({ script }) => script === 'p2tr')!
    const words = ['--merchant', merchantId, '--network', 'btc', '--yes', '--script', 'p2tr']
    const kept = await florin.json('wallet', 'xpub', ...words, '--key-file', keyFile(key))
    expect(kept).toMatchObject({ script: 'p2tr', addresses: expect.arrayContaining([...addresses]) })
  })

  test('is read as wallets show it, with its origin or in a descriptor that names its type', async () => {
    const { merchantId } = await florin.merchant('shown@shop.example')
    const words = ['wallet', 'xpub', '--merchant', merchantId, '--network', 'ltc', '--yes', '--key-file']
    const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive("m/49'/2'/0'").publicExtendedKey
    const kept = await florin.json(...words, keyFile(key), '--script', 'p2sh-p2wpkh')
    for (const shown of [
      `[73c5da0a/49h/2h/0h]${key}`,
      `sh(wpkh([73c5da0a/49'/2'/0']${key}/<0;1>/*))#abcd2345`,
    ])
      expect(await florin.json(...words, keyFile(shown))).toEqual(kept)
    await florin.refuses([['a private key', [...words, keyFile(`[73c5da0a/84h/0h/0h]${XPRV}`)], /private/i]])
  })
})

describe('a view key', () => {
  const wallet = merchantOf('view')
  const args = (merchantId: string, address: string, key: string) => [
    ...['wallet', 'viewkey', '--merchant', merchantId],
    ...['--yes', '--key-file', keyFile(`${address}\n${key}`)],
  ]

  test('is saved without a payout wallet, with its first subaddresses', async () => {
    const { merchantId } = await florin.merchant('view@shop.example')
    expect(await florin.json(...args(merchantId, wallet.payout, wallet.viewKey))).toMatchObject({
      network: 'xmr',
      addresses: [1, 2, 3].map(index => wallet.own(index).address),
    })
    const { items: sources } = await florin.json('wallet', 'sources', '--merchant', merchantId)
    expect(sources.find(({ network }: { network: string }) => network === 'xmr')).toMatchObject({
      payoutAddress: null,
      assets: [{ assetId: 'xmr', source: 'viewkey' }],
    })
  })

  test('is refused if it can spend, or belongs to another address', async () => {
    const { merchantId } = await florin.merchant('spend@shop.example')
    const other = merchantOf('other')
    await florin.refuses([
      ['no address', args(merchantId, '4abc', '0'.repeat(64)), /not a Monero address/],
      ['a spend key', args(merchantId, wallet.payout, wallet.spendKey), /SPEND/],
      ['another address', args(merchantId, other.payout, wallet.viewKey), /another wallet/],
    ])
  })
})

describe('a key', () => {
  const commands = [['xpub', '--network', 'btc'], ['viewkey']]
  test.each(commands)(
    'as an argument of %s is refused as wrong usage, and not repeated',
    async (...words) => {
      const { merchantId } = await florin.merchant(`argument-${words[0]}@shop.example`)
      const ran = await florin.run('wallet', ...words, '--merchant', merchantId, ZPUB, '--yes')
      expect([ran.exitCode, ran.stdout]).toEqual([2, ''])
      expect(ran.stderr).toMatch(/not accepted as arguments; use standard input or --key-file FILE/)
      expect(ran.stderr).not.toContain(ZPUB)
    },
  )

  test('without --yes shows the first addresses and saves nothing', async () => {
    const florin = florinHere()
    const { merchantId } = await florin.merchant('unsure@shop.example')
    const args = ['wallet', 'xpub', '--merchant', merchantId, '--network', 'btc', '--key-file', keyFile(ZPUB)]
    const ran = await florin.run(...args)
    expect(ran.exitCode).toBe(1)
    for (const address of FIRST) expect(ran.stdout).toContain(address)
    expect(ran.stdout).toMatch(/Nothing was saved.*--yes/)
    expect(await florin.json('wallet', 'sources', '--merchant', merchantId)).toEqual({ items: [] })
  })

  test('is read from standard input', async () => {
    const florin = florinHere()
    const { merchantId } = await florin.merchant('stdin@shop.example')
    const args = ['wallet', 'xpub', '--merchant', merchantId, '--network', 'btc', '--yes']
    const line = [...FLORIN, ...args].map(word => `'${word}'`).join(' ')
    const environment = { ...process.env, FLORIN_DATA_DIR: florin.dataDir }
    const child = Bun.spawnSync(['sh', '-c', `${line} < ${keyFile(ZPUB)}`], { env: environment })
    expect([child.exitCode, child.stderr.toString()]).toEqual([0, ''])
    expect((await florin.json('wallet', 'sources', '--merchant', merchantId)).items).toHaveLength(1)
  })
})

describe('a pool', () => {
  test('is filled from a file and counted, and a wrong line rejects the file', async () => {
    const { merchantId } = await florin.merchant('pool@shop.example')
    const folder = newFolder()
    const file = join(folder, 'pool.txt')
    const args = (name: string) => ['wallet', 'pool', '--merchant', merchantId, '--network', 'btc', name]
    const wrong = join(folder, 'wrong.txt')
    writeFileSync(wrong, `${BTC_WALLET}\n${BTC_WALLET.slice(0, -1)}q\n`)
    writeFileSync(file, `# cold wallet, page 1\n${FIRST.join('  # mine\r\n')}\n\n${FIRST[0]}\n`)
    await florin.refuses([
      ['a mistyped address', args(wrong), /line 2: .*not a mainnet address of btc/],
      ['a missing file', args(join(folder, 'nowhere')), /cannot be read/],
    ])
    expect(await florin.json(...args(file))).toEqual({
      merchantId,
      network: 'btc',
      kind: 'pool',
      added: 3,
      known: 0,
      free: 3,
    })
    expect((await florin.run(...args(file))).stdout).toMatch(
      /Added 0 addresses, 3 already known. 3 are available/,
    )
    const takeOut = [...args(wrong).slice(0, -1), '--take-out']
    await florin.refuses([['unknown addresses', [...takeOut, wrong], /line 1: is not in this list/]])
    expect(await florin.json(...takeOut)).toMatchObject({ takenOut: 3, free: 0 })
    expect((await florin.run(...args(file))).stdout).toMatch(/Added 3 addresses/)
    const reclaim = ['wallet', 'pool', '--merchant', merchantId, '--network', 'btc', '--reclaim']
    expect(await florin.json(...reclaim)).toEqual({
      ...{ merchantId, network: 'btc', kind: 'pool' },
      ...{ reclaimed: 0, kept: 0, free: 3 },
    })
    await florin.refuses([['no pool', reclaim.with(5, 'ltc'), /no pool on ltc/]])
    const stop = ['wallet', 'pool', '--merchant', merchantId, '--network', 'btc', '--stop']
    expect(await florin.json(...stop)).toEqual({ merchantId, network: 'btc', kind: 'pool', stopped: true })
    expect(await florin.json('wallet', 'sources', '--merchant', merchantId)).toEqual({ items: [] })
  })
})
