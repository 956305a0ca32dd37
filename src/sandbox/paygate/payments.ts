import { assert } from '../../domain/errors.ts'
import { fromUnitsShort, toUnits } from '../../domain/money.ts'
import type { Outcome } from '../outcomes.ts'
import { coins, type Random, spelled } from './coins.ts'
import { KEY_ID, type Signer } from './signer.ts'
import { addressOut, type Callback, coinOf, type Wallet, type Wallets } from './wallets.ts'

/** How many halves of the amount due are paid. */
const halves: Partial<Record<Outcome, bigint>> = {
  paid: 2n,
  underpaid: 1n,
  overpaid: 4n,
  late: 2n,
  wrong_asset: 2n,
}

/** What is left after the gateway's fee of one percent. */
const forwarded = (units: bigint): bigint => (units * 99n) / 100n

const TX_BYTES = 32

/** Calls a callback URL, and returns the HTTP status of the response. */
export type Deliver = (url: string, headers: Record<string, string>) => Promise<number>

export interface Payments {
  /**
   * Gives the payment of a callback URL an outcome, and returns the statuses of the callbacks that were sent.
   * `due` is a decimal string: of US dollars for a payment page, of whole coins for an address.
   */
  settle(callbackUrl: string, outcome: Outcome, due: string): Promise<{ status: number }[]>
  /** Forwards what was sent to an address, if it is a wallet's and not below the minimum. */
  arrive(address: string, units: bigint): Promise<{ status: number }[]>
}

export function openPayments(wallets: Wallets, signer: Signer, random: Random, deliver: Deliver): Payments {
  const newTxId = (): string => `0x${Buffer.from(random(TX_BYTES)).toString('hex')}`

  async function send({ url, headers }: Callback): Promise<{ status: number }[]> {
    return [{ status: await deliver(url, headers) }]
  }

  /** `signedUrl` differs from the URL only in a forged callback. */
  async function callbackTo(url: string, signedUrl = url): Promise<Callback> {
    const signature = await signer.sign(signedUrl)
    return { url, headers: { 'X-PayGate-Signature': signature, 'X-PayGate-Key-Id': KEY_ID } }
  }

  async function pay(wallet: Wallet, coin: string, units: bigint): Promise<{ status: number }[]> {
    const paid = { value_coin: formatAmount(wallet, units), txid_out: newTxId(), coin }
    const last = await callbackTo(paymentUrl(wallet, units, { ...paid, txid_in: newTxId() }))
    const own = coin === coinOf(wallet) ? units : 0n
    const received = (BigInt(wallet.received ?? '0') + own).toString()
    wallets.change(wallet, { status: 'paid', paid, last, received })
    return send(last)
  }

  async function fail(wallet: Wallet): Promise<{ status: number }[]> {
    const last = await callbackTo(extended(wallet, { status: 'failed', address_in: wallet.address }))
    wallets.change(wallet, { status: wallet.status === 'paid' ? 'paid' : 'failed', last })
    return send(last)
  }

  async function forge(wallet: Wallet, units: bigint): Promise<{ status: number }[]> {
    const forged = { value_coin: formatAmount(wallet, units), coin: coinOf(wallet) }
    const url = paymentUrl(wallet, units, { ...forged, txid_in: newTxId(), txid_out: newTxId() })
    return send(await callbackTo(url, `${url}&forged=1`))
  }

  return {
    async settle(callbackUrl, outcome, due) {
      const wallet = wallets.find(callbackUrl)
      assert(wallet, 'a payment is settled after it was provisioned')
      if (outcome === 'pending') return []
      if (outcome === 'duplicate') return wallet.last ? send(wallet.last) : []
      if (outcome === 'failed') return fail(wallet)
      const units = toUnits(due, decimalsOf(wallet))
      assert(units !== null, 'the amount due is a decimal of its coin')
      if (outcome === 'forged') return forge(wallet, units)
      const coin = outcome === 'wrong_asset' ? otherThan(coinOf(wallet)) : coinOf(wallet)
      const missing = outcome === 'paid' ? missingOf(wallet, units) : units
      return pay(wallet, coin, (missing * halves[outcome]!) / 2n)
    },
    async arrive(address, units) {
      const wallet = wallets.at(address)
      return wallet && units >= minimumOf(wallet) ? pay(wallet, coinOf(wallet), units) : []
    },
  }
}

const decimalsOf = (wallet: Wallet): number => coins.get(wallet.coin)!.decimals

/** At an address, what is missing of the amount due; all of it if nothing is missing, or on a page. */
function missingOf({ received = '0', isPage }: Wallet, dueAtomic: bigint): bigint {
  const rest = dueAtomic - BigInt(received)
  return isPage || rest <= 0n ? dueAtomic : rest
}

const minimumOf = ({ coin }: Wallet): bigint => {
  const { minimum, decimals } = coins.get(coin)!
  return toUnits(minimum, decimals) ?? 0n
}

const formatAmount = (wallet: Wallet, units: bigint): string => fromUnitsShort(units, decimalsOf(wallet))

const otherThan = (coin: string): string =>
  coin === spelled('polygon/usdt') ? spelled('polygon/usdc') : spelled('polygon/usdt')

/** The callback URL keeps its own query, and the gateway's parameters follow. */
const extended = ({ callbackUrl }: Wallet, params: Record<string, string>): string =>
  `${callbackUrl}${Object.entries(params)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')}`

interface PaymentParams {
  value_coin: string
  coin: string
  txid_in: string
  txid_out: string
}

const paymentUrl = (
  wallet: Wallet,
  units: bigint,
  { value_coin, coin, txid_in, txid_out }: PaymentParams,
): string =>
  extended(wallet, {
    value_coin,
    coin,
    txid_in,
    txid_out,
    address_in: wallet.address,
    value_forwarded_coin: formatAmount(wallet, forwarded(units)),
    address_out: addressOut(wallet),
  })
