import { type Asset, chainOf, type WalletNetwork } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { isAtLeast } from '../../domain/money.ts'
import { evmAddressPattern } from '../../domain/wallet.ts'
import {
  type Holding,
  NetworkError,
  type Networks,
  type Recipe,
  type SweepCall,
  type SweepRequest,
} from '../../networks/port.ts'
import type { Context } from '../context.ts'
import { type Forwarder, listForwarders } from './recovery-export.ts'

export interface SweepQuery {
  merchantId: string
  /** an asset, or a chain, a slash and the contract of a token that the table does not know */
  assetId: string | null
  /** a decimal text, in the asset's own unit; less is left where it is */
  least: string | null
}

export interface Sweep {
  /** how many addresses were looked at */
  addresses: number
  holdings: (Holding & { orderId: string })[]
  calls: SweepCall[]
  /** chains that could not be looked at, and why */
  faults: { chain: string; message: string }[]
}

/** A chain, and the forwarders to look at there. */
interface Place {
  chain: string
  chainId: number | null
  own: Forwarder[]
}

/** So many addresses are lost work when an endpoint fails. */
const ADDRESSES_AT_ONCE = 500

/** What the addresses of a network that have to be swept are made by. */
const sweptKinds: Partial<Record<WalletNetwork, Recipe['kind']>> = { evm: 'create2', solana: 'seed' }

/**
 * Looks what lies on a merchant's forwarders and seeds, and writes the calls that move it to the payout
 * wallets. Sends and keeps nothing. An asset that is named is looked for on every address of its kind, also
 * of attempts on other chains: a forwarder's is the same on all of them, and a buyer may have taken the wrong
 * one.
 */
export async function sweepMerchant(context: Context, query: SweepQuery): Promise<Sweep> {
  const { merchantId, assetId } = query
  checkWish(context, query)
  const forwarders = await listForwarders(context, merchantId)
  const places = placesOf(context, forwarders, assetId)
  const sweep: Sweep = { addresses: 0, holdings: [], calls: [], faults: [] }
  for (const place of places) {
    try {
      await sweepPlace(context, query, place, sweep)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      sweep.faults.push({ chain: place.chain, message: error.message })
    }
  }
  if (places.length > 0 && sweep.faults.length === places.length) {
    throw new Refusal('provider_unavailable', sweep.faults.map(({ message }) => message).join('\n'))
  }
  return sweep
}

/** Where each attempt's asset is; or where the one that is named is, for all of its kind. */
function placesOf({ networks }: Context, forwarders: Forwarder[], assetId: string | null): Place[] {
  const neighbour = (id: string): Asset | undefined =>
    networks.asset(id) ?? networks.assets.find(({ chain }) => chain === chainOf(id))
  const placeOf = (id: string) => `${chainOf(id)} ${neighbour(id)?.chainId ?? ''}`
  const groups =
    assetId === null
      ? Map.groupBy(forwarders, ({ attempt }) => placeOf(attempt.assetId))
      : new Map([
          [placeOf(neighbourOf(networks, forwarders, assetId)), ofKind(forwarders, neighbour(assetId))],
        ])
  return [...groups].map(([place, own]) => {
    const [chain = '', chainId = ''] = place.split(' ')
    return { chain, chainId: chainId === '' ? null : Number(chainId), own }
  })
}

const ofKind = (forwarders: Forwarder[], asset: Asset | undefined): Forwarder[] =>
  forwarders.filter(({ recipe }) => asset && recipe.kind === sweptKinds[asset.network])

/** A token that the table does not know lies where the chain's newest attempt is. */
function neighbourOf(networks: Networks, forwarders: Forwarder[], assetId: string): string {
  if (networks.asset(assetId)) return assetId
  const near = forwarders.find(({ attempt }) => chainOf(attempt.assetId) === chainOf(assetId))
  return near?.attempt.assetId ?? assetId
}

const isDecimal = (text: string): boolean => /^[0-9]{1,30}([.][0-9]{1,36})?$/.test(text)

function checkWish({ networks }: Context, { assetId, least }: SweepQuery): void {
  if (least !== null && !isDecimal(least)) throw invalid('min', 'must be a decimal such as 0.5')
  const swept = networks.assets.filter(({ network }) => sweptKinds[network] !== undefined)
  if (assetId !== null && !canBeSwept(swept, assetId)) {
    const rule =
      'must be an asset of an EVM chain, or such a chain, a slash and a contract; or the coin of Solana'
    throw invalid('asset', rule)
  }
  if (swept.every(({ chain }) => !networks.of(chain))) {
    throw new Refusal(
      'provider_unavailable',
      'No endpoint of an EVM chain is configured, nor of Solana: see florin config.',
    )
  }
}

/** Of Solana the coin alone: nobody could sign for a token on an address made by a seed. */
function canBeSwept(swept: Asset[], assetId: string): boolean {
  const known = swept.find(({ id }) => id === assetId)
  if (known) return known.network === 'evm' || known.contract === null
  const contract = assetId.slice(chainOf(assetId).length + 1)
  const isOfEvm = swept.some(({ chain, network }) => network === 'evm' && chain === chainOf(assetId))
  return isOfEvm && evmAddressPattern.test(contract)
}

async function sweepPlace(context: Context, query: SweepQuery, { chain, chainId, own }: Place, sweep: Sweep) {
  const network = context.networks.of(chain)
  if (!network) throw new NetworkError(`No endpoint of ${chain} is configured: see florin config.`)
  if (!network.sweep) throw new NetworkError(`The ${chain} of the sandbox is simulated: no money lies there.`)
  const orders = new Map(own.map(({ attempt }) => [attempt.id, attempt.orderId]))
  const { assetId, least } = query
  const isWorth: SweepRequest['isWorth'] = ({ decimals }, amount) =>
    least === null || isAtLeast(amount, decimals, least)
  for (let next = 0; next < own.length; next += ADDRESSES_AT_ONCE) {
    const addresses = own.slice(next, next + ADDRESSES_AT_ONCE).map(forwarder => forwarder.own)
    const { holdings, calls } = await network.sweep({ addresses, chainId, assetId, isWorth })
    sweep.addresses += addresses.length
    sweep.holdings.push(...holdings.map(held => ({ ...held, orderId: orders.get(held.attemptId)! })))
    sweep.calls.push(...calls)
  }
}
