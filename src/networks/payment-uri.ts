import { type Registry, registry } from '../coins/registry.ts'
import type { AddressFormat, PaymentUri } from '../coins/types.ts'
import type { Asset } from '../domain/asset.ts'
import { assert } from '../domain/errors.ts'
import { fromUnitsShort } from '../domain/money.ts'
import { codecOf } from './addresses/codecs.ts'

interface Payment {
  asset: Asset
  address: string
  atomic: bigint
  /** the same amount in whole coins: a decimal string without exponent */
  amount: string
  label: string
}

/**
 * The longest label. A longer label makes a QR code that phones read badly, since one letter can take nine
 * characters in a URI.
 */
const LABEL_BYTES_MAX = 30

let characters: Intl.Segmenter | undefined

/** Cuts a label after the last whole character that fits. */
function shortened(label: string): string {
  let kept = ''
  characters ??= new Intl.Segmenter()
  for (const { segment } of characters.segment(label.toWellFormed())) {
    if (Buffer.byteLength(kept + segment) > LABEL_BYTES_MAX) return kept.trimEnd()
    kept += segment
  }
  return kept
}

/**
 * Builds a URI without empty parameters. Unpaired surrogates are replaced, as they cannot be percent-encoded.
 */
function uri(target: string, parameters: Record<string, string | null>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return `${target}?${query.join('&')}`
}

/**
 * Makes a URI by BIP21, or ZIP-321 for a single payment. A CashAddr address already has the scheme as its
 * prefix.
 */
function bip21(scheme: string, format: AddressFormat, { address, amount, label }: Payment): string {
  if (format.kind !== 'bitcoin' || format.cashAddr === null)
    return uri(`${scheme}:${address}`, { amount, label })
  const codec = codecOf(format)
  assert(codec.isAddress(address), 'an address was checked before it is shown')
  return uri(codec.canonical(address), { amount, label })
}

/** Makes a URI by ERC-681. For a token, it calls the token's contract with the amount in atomic units. */
function erc681({ asset, address, atomic }: Payment): string {
  assert(asset.chainId !== null, `${asset.id} has a chain id`)
  const amount = atomic.toString()
  return asset.contract === null
    ? uri(`ethereum:${address}@${asset.chainId}`, { value: amount })
    : uri(`ethereum:${asset.contract}@${asset.chainId}/transfer`, { address, uint256: amount })
}

type Standard = Exclude<PaymentUri['standard'], 'bip21'>

const uris: Record<Standard, (payment: Payment) => string> = {
  erc681,
  'solana-pay': ({ asset, address, amount, label }) =>
    uri(`solana:${address}`, { amount, 'spl-token': asset.contract, label }),
  tron: ({ asset, address, amount }) => uri(`tron:${address}`, { amount, token: asset.contract }),
  monero: ({ address, amount, label }) =>
    uri(`monero:${address}`, { tx_amount: amount, tx_description: label }),
}

/**
 * Makes the URI that a wallet app opens for one payment. `isAddress` must have accepted the address. The
 * amount is printed exactly, in the unit that the network's standard prescribes. A long name is cut, and an
 * empty name is left out. ERC-681 and TRON have no field for a name.
 */
export const makePaymentUri =
  ({ wallet }: Registry) =>
  (asset: Asset, address: string, atomic: bigint, name: string): string => {
    assert(atomic > 0n, 'the amount of a payment is above zero')
    const label = shortened(name)
    const payment = { asset, address, atomic, amount: fromUnitsShort(atomic, asset.decimals), label }
    const { paymentUri: rules, address: format } = wallet(asset.network)
    return rules.standard === 'bip21' ? bip21(rules.scheme, format, payment) : uris[rules.standard](payment)
  }

export const paymentUri = makePaymentUri(registry)
