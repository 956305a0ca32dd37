import type { Asset, WalletNetwork } from '../domain/asset.ts'
import { assert } from '../domain/errors.ts'
import { fromUnitsShort } from '../domain/money.ts'
import { cashAddr } from './addresses/cash-addr.ts'

interface Payment {
  asset: Asset
  address: string
  atomic: bigint
  /** the same amount in whole coins: a decimal text without exponent */
  coins: string
  label: string
}

/** A lone half of a surrogate pair has no percent-encoding, so it is replaced before. */
function uri(target: string, parameters: Record<string, string | null>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return `${target}?${query.join('&')}`
}

/** BIP21, and ZIP-321 for a single payment. */
const coinUri =
  (scheme: string) =>
  ({ address, coins, label }: Payment): string =>
    uri(`${scheme}:${address}`, { amount: coins, label })

/** A CashAddr brings the scheme as its prefix; a legacy address becomes the CashAddr that it stands for. */
function bitcoinCashUri({ address, coins, label }: Payment): string {
  const target = cashAddr(address)
  assert(target !== null, 'a Bitcoin Cash address was checked before it is shown')
  return uri(target, { amount: coins, label })
}

/** ERC-681. A token payment calls the token's contract, in the token's own units. */
function ethereumUri({ asset, address, atomic }: Payment): string {
  assert(asset.chainId !== null, `${asset.id} has a chain id`)
  const amount = atomic.toString()
  return asset.contract === null
    ? uri(`ethereum:${address}@${asset.chainId}`, { value: amount })
    : uri(`ethereum:${asset.contract}@${asset.chainId}/transfer`, { address, uint256: amount })
}

const uris: Record<WalletNetwork, (payment: Payment) => string> = {
  evm: ethereumUri,
  btc: coinUri('bitcoin'),
  bitcoincash: bitcoinCashUri,
  ltc: coinUri('litecoin'),
  doge: coinUri('dogecoin'),
  zec: coinUri('zcash'),
  solana: ({ asset, address, coins, label }) =>
    uri(`solana:${address}`, { amount: coins, 'spl-token': asset.contract, label }),
  trc20: ({ asset, address, coins }) => uri(`tron:${address}`, { amount: coins, token: asset.contract }),
  xmr: ({ address, coins, label }) => uri(`monero:${address}`, { tx_amount: coins, tx_description: label }),
}

/**
 * What a wallet app opens for one payment. `address` is one that `isAddress` accepted; `atomic` is printed
 * exactly, in the unit that the network's own standard asks for. An empty label is left out; ERC-681 and TRON
 * have none.
 */
export function paymentUri(asset: Asset, address: string, atomic: bigint, label: string): string {
  assert(atomic > 0n, 'a payment asks for more than nothing')
  const coins = fromUnitsShort(atomic, asset.decimals)
  return uris[asset.network]({ asset, address, atomic, coins, label })
}
