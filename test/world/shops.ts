import { ed25519 } from '@noble/curves/ed25519.js'
import { HDKey } from '@scure/bip32'
import { encodeSolana } from '../../src/networks/addresses/solana.ts'
import { merchantOf } from '../support/monero-payment.ts'
import { cardKeysOf } from './cards/cards.ts'
import type { ChainName } from './chains.ts'
import { Browser, type Client } from './client.ts'
import type { ShopFact } from './facts.ts'
import type { Journal } from './journal.ts'
import { nodeOf } from './lightning.ts'
import type { Machine } from './machine.ts'
import { receiverHost } from './receivers.ts'
import type { ShopSetup } from './steps.ts'

const POOL_SIZE = 40
const SIGN_IN_PAUSE_MS = 60_000

export const eventTypes = [
  ...['order.paid', 'payment.created', 'payment.processing', 'payment.paid'],
  ...['payment.failed', 'payment.expired', 'payment.unmatched'],
  ...['order.expired', 'order.cancelled', 'order.failed', 'refund.recorded'],
]

export const roles = ['owner', 'staff', 'viewer'] as const
type Role = (typeof roles)[number]

/** A shop, its keys, and its people. */
export interface Shop {
  number: number
  id: string
  keys: { live: string; test: string; read: string; revoked: string }
  people: Record<Role, Browser>
  /** URL of its webhook */
  url: string
  /** its settings, as the journal knows them */
  about: Omit<ShopFact, 'at' | 'step' | 'fact'>
}

const payoutOf = (shop: number): string => `0x${`${shop + 1}`.repeat(40)}`
const solanaKey = (shop: number, seed: number): string =>
  encodeSolana(ed25519.getPublicKey(new Uint8Array(32).fill(seed).fill(shop + 1, 30)))
const [SOLANA_PAYOUT, ROOT] = [99, 7]

/** Sets up the wallets of a shop. Returns its payout wallets. */
async function setUpWallet(
  { context, build }: Machine,
  merchantId: string,
  { number, setup, chains }: { number: number; setup: ShopSetup; chains: readonly ChainName[] },
): Promise<Record<string, string>> {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(ROOT + number))
  const wallets: Record<string, string> = { evm: payoutOf(number) }
  const account = async (network: 'evm' | 'btc' | 'ltc' | 'trc20', path: string, script: 'p2wpkh' | null) => {
    const key = root.derive(path).publicExtendedKey
    const preview = await build.previewAccount(context, merchantId, network, key, script)
    await build.setUpSource(context, preview)
  }
  if (setup.hasAccount) await account('evm', "m/44'/60'/0'", null)
  if (chains.includes('btc')) await account('btc', "m/84'/0'/0'", 'p2wpkh')
  if (chains.includes('ltc')) await account('ltc', "m/84'/2'/0'", 'p2wpkh')
  if (chains.includes('trc20')) await account('trc20', "m/44'/195'/0'", null)
  if (chains.includes('solana')) {
    wallets.solana = solanaKey(number, SOLANA_PAYOUT)
    const pool = Array.from({ length: POOL_SIZE }, (_, index) => solanaKey(number, index + 1))
    await build.fillPool(context, merchantId, 'solana', pool)
  }
  if (chains.includes('xmr')) {
    const { payout, viewKey } = merchantOf(`world ${number}`)
    wallets.xmr = payout
    const preview = await build.previewViewKey(context, merchantId, payout, viewKey)
    await build.setUpSource(context, preview)
  }
  return wallets
}

interface Opening {
  machine: Machine
  client: Client
  journal: Journal
  chains: readonly ChainName[]
  /** true if the shop connects an account with each card provider */
  hasCards: boolean
  /** true if the shop connects a Lightning node */
  hasLightning: boolean
  /** lets time pass, because sign-ins are limited */
  pass(ms: number): void
}

async function keysOf({ context, build }: Machine, merchantId: string): Promise<Shop['keys']> {
  const make = (mode: 'live' | 'test', scopes?: string[]) =>
    build.createKey(context, { merchantId, mode, scopes })
  const [live, test] = [await make('live'), await make('test')]
  const [read, revoked] = [await make('live', ['api:read']), await make('live')]
  await build.revokeKey(context, merchantId, revoked.key.id)
  return { live: live.text, test: test.text, read: read.text, revoked: revoked.text }
}

async function peopleOf({ machine, client, pass }: Opening, merchantId: string, number: number) {
  const { context, build } = machine
  const people: Partial<Shop['people']> = {}
  for (const role of roles) {
    pass(SIGN_IN_PAUSE_MS)
    const email = `${role}-${number}@people.example`
    const { user, token } = await build.createUser(context, { email, merchantId, role })
    people[role] = await Browser.open(client, { id: user.id, email }, token!)
  }
  return people as Shop['people']
}

/** Sets up a shop with the steps of its owner and the operator. */
export async function openShop(opening: Opening, number: number, setup: ShopSetup): Promise<Shop> {
  const { machine, client, journal, chains, hasCards, hasLightning } = opening
  const { context, build } = machine
  const { feePercent, tolerance, late } = setup
  const about = { name: `Shop ${number}`, email: `shop-${number}@shop.example`, feePercent }
  const { id } = await build.createMerchant(context, about)
  await build.changeMerchant(context, id, { tolerance, late })
  const keys = await keysOf(machine, id)
  for (const account of hasCards ? cardKeysOf(number) : [])
    await build.connectAccount(context, { merchantId: id, ...account, webhookSecret: null })
  if (hasLightning)
    await build.setUpLightning(context, id, await build.tryLightning(context, id, nodeOf(number)))
  const wallets = await setUpWallet(machine, id, { number, setup, chains })
  const by = { shop: number, key: 'live' } as const
  await client.call('PUT', '/v1/wallet', { by, key: keys.live, body: { cryptoWallets: wallets } })
  const url = `https://${receiverHost(number)}/hooks`
  const { json } = await client.call('PUT', '/v1/webhook', { by, key: keys.live, body: { url } })
  await build.chooseEvents(context, id, eventTypes)
  const webhook: ShopFact['webhook'] = { url, secret: json.data.signingSecret, eventTypes, previous: null }
  const people = await peopleOf(opening, id, number)
  const facts = { shop: number, id, ...about, tolerance, late, wallets, webhook }
  journal.note({ fact: 'shop', ...facts })
  return { number, id, keys, url, people, about: facts }
}
