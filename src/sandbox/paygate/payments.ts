import { assert, asserted } from '../../domain/errors.ts'
import { fromUnitsShort, toUnits } from '../../domain/money.ts'
import type { Outcome } from '../outcomes.ts'
import { callbackName, coins, type Random } from './coins.ts'
import { KEY_ID, type Signer } from './signer.ts'
import { addressOut, type Callback, callbackCoin, type Wallet, type Wallets } from './wallets.ts'

/** The amount that an outcome pays, in halves of the amount that is due. */
const halves: Partial<Record<Outcome, bigint>> = {
  paid: 2n,
  underpaid: 1n,
  overpaid: 4n,
  late: 2n,
  wrong_asset: 2n,
}

/** The amount that is forwarded after the gateway's fee of one percent. */
const forwarded = (units: bigint): bigint => (units * 99n) / 100n

const TX_BYTES = 32

/** Calls a callback URL and returns the HTTP status. */
export type Deliver = (url: string, headers: Record<string, string>) => Promise<number>

export interface Payments {
  /**
   * Gives the payment of a callback URL an outcome. Returns the statuses of the callbacks that were sent.
   * `due`, and `amount` if it differs from the outcome's, are decimal strings: in US dollars for a payment
   * page, in whole coins for an address.
   */
  settle(callbackUrl: string, outcome: Outcome, due: string, amount?: string): Promise<{ status: number }[]>
  /** Forwards a payment to an address of the gateway, unless it is below the minimum. */
  receive(address: string, units: bigint): Promise<{ status: number }[]>
}

export function openPayments(wallets: Wallets, signer: Signer, random: Random, deliver: Deliver): Payments {
  const newTxId = (): string => `0x${Buffer.from(random(TX_BYTES)).toString('hex')}`

  async function send({ url, headers }: Callback): Promise<{ status: number }[]> {
    return [{ status: await deliver(url, headers) }]
  }

  /** A signed callback. `signedUrl` differs from the URL only in a forged callback. */
  async function callbackTo(url: string, signedUrl = url): Promise<Callback> {
    const signature = await signer.sign(signedUrl)
    return { url, headers: { 'X-PayGate-Signature': signature, 'X-PayGate-Key-Id': KEY_ID } }
  }

  async function pay(wallet: Wallet, coin: string, units: bigint): Promise<{ status: number }[]> {
    const paid = { value_coin: coinAmount(wallet, units), txid_out: newTxId(), coin }
    const lastCallback = await callbackTo(paymentUrl(wallet, units, { ...paid, txid_in: newTxId() }))
    const own = coin === callbackCoin(wallet) ? units : 0n
    const received = (BigInt(wallet.received ?? '0') + own).toString()
    wallets.change(wallet, { status: 'paid', paid, lastCallback, received })
    return send(lastCallback)
  }

  async function fail(wallet: Wallet): Promise<{ status: number }[]> {
    const lastCallback = await callbackTo(
      callbackUrlWith(wallet, { status: 'failed', address_in: wallet.address }),
    )
    wallets.change(wallet, { status: wallet.status === 'paid' ? 'paid' : 'failed', lastCallback })
    return send(lastCallback)
  }

  async function forge(wallet: Wallet, units: bigint): Promise<{ status: number }[]> {
    const claimed = { value_coin: coinAmount(wallet, units), coin: callbackCoin(wallet) }
    const url = paymentUrl(wallet, units, { ...claimed, txid_in: newTxId(), txid_out: newTxId() })
    return send(await callbackTo(url, `${url}&forged=1`))
  }

  return {
    async settle(callbackUrl, outcome, due, amount) {
      const wallet = wallets.find(callbackUrl)
      assert(wallet, 'a payment is provisioned before it is settled')
      if (outcome === 'pending') return []
      if (outcome === 'duplicate') return wallet.lastCallback ? send(wallet.lastCallback) : []
      if (outcome === 'failed') return fail(wallet)
      const units = toUnits(amount ?? due, decimalsOf(wallet))
      assert(units !== null, 'the amount is a decimal of its coin')
      if (outcome === 'forged') return forge(wallet, units)
      return pay(
        wallet,
        coinPaid(wallet, outcome),
        amount === undefined ? usualAmount(wallet, outcome, units) : units,
      )
    },
    async receive(address, units) {
      const wallet = wallets.findByAddress(address)
      return wallet && units >= minimumOf(wallet) ? pay(wallet, callbackCoin(wallet), units) : []
    },
  }
}

const decimalsOf = (wallet: Wallet): number =>
  asserted(coins.get(wallet.coin), 'a wallet has a known coin').decimals

/** The missing part of the amount due; all of it if nothing is missing, or on a payment page. */
function missingOf({ received = '0', isPage }: Wallet, due: bigint): bigint {
  const remaining = due - BigInt(received)
  return isPage || remaining <= 0n ? due : remaining
}

const coinPaid = (wallet: Wallet, outcome: Outcome): string =>
  outcome === 'wrong_asset' ? anotherCoin(callbackCoin(wallet)) : callbackCoin(wallet)

function usualAmount(wallet: Wallet, outcome: Outcome, due: bigint): bigint {
  const missing = outcome === 'paid' ? missingOf(wallet, due) : due
  return (missing * halves[outcome]!) / 2n
}

const minimumOf = ({ coin }: Wallet): bigint => {
  const { minimum, decimals } = asserted(coins.get(coin), 'a wallet has a known coin')
  return toUnits(minimum, decimals) ?? 0n
}

const coinAmount = (wallet: Wallet, units: bigint): string => fromUnitsShort(units, decimalsOf(wallet))

const anotherCoin = (coin: string): string =>
  coin === callbackName('polygon/usdt') ? callbackName('polygon/usdc') : callbackName('polygon/usdt')

/** Appends the gateway's parameters to the query of the callback URL. */
const callbackUrlWith = ({ callbackUrl }: Wallet, params: Record<string, string>): string =>
  `${callbackUrl}${Object.entries(params)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')}`

interface CallbackFields {
  value_coin: string
  coin: string
  txid_in: string
  txid_out: string
}

const paymentUrl = (
  wallet: Wallet,
  units: bigint,
  { value_coin, coin, txid_in, txid_out }: CallbackFields,
): string =>
  callbackUrlWith(wallet, {
    value_coin,
    coin,
    txid_in,
    txid_out,
    address_in: wallet.address,
    value_forwarded_coin: coinAmount(wallet, forwarded(units)),
    address_out: addressOut(wallet),
  })
