import { type Asset, chainOf, type WalletNetwork } from '../../domain/asset.ts'
import { assert, asserted, invalid, Refusal } from '../../domain/errors.ts'
import { isAtLeast } from '../../domain/money.ts'
import type { OrderStatus } from '../../domain/order.ts'
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
import { findHeldElsewhere, findSweepableElsewhere } from './held-elsewhere.ts'
import { listOwnMoney, type OwnMoney } from './own-money.ts'
import { type Forwarder, givenOf, listForwarders } from './recovery-export.ts'
import { listUnpaidAttempts, type UnpaidAttempt } from './unpaid-attempts.ts'

export interface SweepQuery {
  merchantId: string
  /** asset ID, or chain/contract for an unlisted token */
  assetId: string | null
  /** minimum balance, as a decimal string in the asset's own unit: smaller balances are skipped */
  least: string | null
}

export interface OrderHolding extends Holding {
  orderId: string
  /** status of the order; if it is not PAID, the money was not noticed or was not enough */
  orderStatus: OrderStatus
}

export interface Sweep {
  addresses: number
  holdings: OrderHolding[]
  calls: SweepCall[]
  /** chains that could not be checked, and why */
  faults: { chain: string; message: string }[]
  /** money in the merchant's own wallet for orders that are not PAID */
  ownMoney: OwnMoney[]
}

/** A chain and the addresses to check on it. */
interface SweepTarget {
  chain: string
  chainId: number | null
  own: Forwarder[]
}

/** Max addresses per request; a failed request repeats only these. */
const ADDRESSES_AT_ONCE = 500

/** Kinds of addresses that need a sweep, by network. */
const sweptKinds: Partial<Record<WalletNetwork, Recipe['kind']>> = { evm: 'create2', solana: 'seed' }

/**
 * Finds funds on a merchant's forwarders and seed addresses, and builds the calls that move them to the
 * payout wallets. Sends and stores nothing. A forwarder has the same address on every EVM chain, and a buyer
 * may have paid on the wrong chain. So listed assets are searched on all of these chains, and a named asset
 * is searched on every address of its kind.
 */
export async function sweepMerchant(
  context: Pick<Context, 'storage' | 'networks'>,
  query: SweepQuery,
): Promise<Sweep> {
  const { merchantId, assetId } = query
  checkQuery(context, query)
  const ownMoney = await findOwnMoney(context, query)
  if (ownMoney.length === 0) requireEndpoint(context)
  const forwarders = await listForwarders(context, merchantId)
  const targets = targetsOf(context, forwarders, assetId)
  const found = await sweepTargets(context, query, targets)
  if (targets.length > 0 && found.faults.length === targets.length) {
    throw new Refusal('provider_unavailable', found.faults.map(({ message }) => message).join('\n'))
  }
  if (assetId === null) await addElsewhere(context, query, forwarders, found)
  return { ...found, holdings: await withStatus(context, found.holdings), ownMoney }
}

/** Adds money that arrived on another chain than the one on which the buyer was asked to pay. */
async function addElsewhere(
  context: Pick<Context, 'storage' | 'networks'>,
  query: SweepQuery,
  forwarders: Forwarder[],
  found: SweepFindings,
): Promise<void> {
  const { found: held, faults } = await findSweepableElsewhere(context, forwarders)
  const more = await sweepTargets(context, query, held.map(toTarget))
  found.holdings.push(...more.holdings)
  found.calls.push(...more.calls)
  const known = found.faults.map(({ chain }) => chain)
  found.faults.push(...[...more.faults, ...faults].filter(({ chain }) => !known.includes(chain)))
}

const toTarget = ({ asset: { chain, chainId }, own }: { asset: Asset; own: Forwarder[] }): SweepTarget => ({
  chain,
  chainId,
  own,
})

/**
 * Finds money in the merchant's own wallet. A minimum is in the unit of the asset, so it does not apply to an
 * asset whose unit is unknown.
 */
async function findOwnMoney(
  { storage, networks }: Pick<Context, 'storage' | 'networks'>,
  { merchantId, assetId, least }: SweepQuery,
): Promise<OwnMoney[]> {
  const found = await storage.read(async tables =>
    listOwnMoney(tables, merchantId, await listUnpaidAttempts(tables, merchantId)),
  )
  const known = found.map(one => ({
    ...one,
    decimals: one.decimals ?? networks.asset(one.assetId)?.decimals ?? null,
  }))
  return known.filter(
    one =>
      (assetId === null || one.assetId === assetId) &&
      (least === null || one.decimals === null || isAtLeast(one.amountAtomic, one.decimals, least)),
  )
}

type SweepFindings = Omit<Sweep, 'holdings' | 'ownMoney'> & { holdings: Omit<OrderHolding, 'orderStatus'>[] }

async function sweepTargets(
  context: Pick<Context, 'networks'>,
  query: Pick<SweepQuery, 'assetId' | 'least'>,
  targets: SweepTarget[],
): Promise<SweepFindings> {
  const found: SweepFindings = { addresses: 0, holdings: [], calls: [], faults: [] }
  for (const target of targets) {
    try {
      await sweepTarget(context, query, target, found)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      found.faults.push({ chain: target.chain, message: error.message })
    }
  }
  return found
}

/** The balances of forwarders and seed addresses on any chain. Leaves out chains that do not answer. */
async function findHoldings(
  context: Pick<Context, 'networks'>,
  forwarders: Forwarder[],
): Promise<SweepFindings['holdings']> {
  const elsewhere = await findHeldElsewhere(context, forwarders)
  const targets = [...targetsOf(context, forwarders, null), ...elsewhere.found.map(toTarget)]
  return (await sweepTargets(context, { assetId: null, least: null }, targets)).holdings
}

const withStatus = (
  { storage }: Pick<Context, 'storage'>,
  holdings: SweepFindings['holdings'],
): Promise<OrderHolding[]> =>
  storage.read(tables =>
    Promise.all(
      holdings.map(async held => {
        const found = await tables.orders.find(held.orderId)
        assert(found, 'an attempt belongs to an order')
        return { ...held, orderStatus: found.order.status }
      }),
    ),
  )

/** Groups the addresses by the chain to check: the attempt's own, or that of the named asset. */
function targetsOf(
  { networks }: Pick<Context, 'networks'>,
  forwarders: Forwarder[],
  assetId: string | null,
): SweepTarget[] {
  const neighbour = (id: string): Asset | undefined =>
    networks.asset(id) ?? networks.assets.find(({ chain }) => chain === chainOf(id))
  const chainKeyOf = (id: string) => `${chainOf(id)} ${neighbour(id)?.chainId ?? ''}`
  const groups =
    assetId === null
      ? Map.groupBy(forwarders, ({ attempt }) => chainKeyOf(attempt.assetId))
      : new Map([
          [chainKeyOf(neighbourOf(networks, forwarders, assetId)), ofKind(forwarders, neighbour(assetId))],
        ])
  return [...groups].map(([chainKey, own]) => {
    const [chain = '', chainId = ''] = chainKey.split(' ')
    return { chain, chainId: chainId === '' ? null : Number(chainId), own }
  })
}

const ofKind = (forwarders: Forwarder[], asset: Asset | undefined): Forwarder[] =>
  forwarders.filter(({ recipe }) => asset && recipe.kind === sweptKinds[asset.network])

/**
 * An asset on the chain that is searched. For an unlisted token, it is the asset of the newest attempt there.
 */
function neighbourOf(networks: Networks, forwarders: Forwarder[], assetId: string): string {
  if (networks.asset(assetId)) return assetId
  const near = forwarders.find(({ attempt }) => chainOf(attempt.assetId) === chainOf(assetId))
  return near?.attempt.assetId ?? assetId
}

const isDecimal = (text: string): boolean => /^[0-9]{1,30}([.][0-9]{1,36})?$/.test(text)

function checkQuery({ networks }: Pick<Context, 'networks'>, { assetId, least }: SweepQuery): void {
  if (least !== null && !isDecimal(least)) throw invalid('min', 'must be a decimal such as 0.5')
  if (assetId !== null && !canBeSwept(sweptAssets(networks), assetId)) {
    const rule = 'must be an asset of an EVM chain, chain/CONTRACT for an unlisted token, or solana/sol'
    throw invalid('asset', rule)
  }
}

const sweptAssets = ({ assets }: Networks): Asset[] =>
  assets.filter(({ network }) => sweptKinds[network] !== undefined)

function requireEndpoint({ networks }: Pick<Context, 'networks'>): void {
  if (sweptAssets(networks).some(({ chain }) => networks.of(chain))) return
  const text = 'No endpoint of an EVM chain or Solana is configured. See florin config.'
  throw new Refusal('provider_unavailable', text)
}

/** True if an asset can be swept. On Solana only SOL can: nobody can sign for a token on a seed address. */
function canBeSwept(swept: Asset[], assetId: string): boolean {
  const known = swept.find(({ id }) => id === assetId)
  if (known) return known.network === 'evm' || known.contract === null
  const contract = assetId.slice(chainOf(assetId).length + 1)
  const isOfEvm = swept.some(({ chain, network }) => network === 'evm' && chain === chainOf(assetId))
  return isOfEvm && evmAddressPattern.test(contract)
}

async function sweepTarget(
  context: Pick<Context, 'networks'>,
  query: Pick<SweepQuery, 'assetId' | 'least'>,
  { chain, chainId, own }: SweepTarget,
  sweep: SweepFindings,
) {
  const network = context.networks.of(chain)
  if (!network) throw new NetworkError(`No endpoint of ${chain} is configured. See florin config.`)
  if (!network.sweep) throw new NetworkError(`The sandbox simulates ${chain}: there are no funds to sweep.`)
  const orders = new Map(own.map(({ attempt }) => [attempt.id, attempt.orderId]))
  const { assetId, least } = query
  const isWorth: SweepRequest['isWorth'] = ({ decimals }, amount) =>
    least === null || isAtLeast(amount, decimals, least)
  for (let next = 0; next < own.length; next += ADDRESSES_AT_ONCE) {
    const addresses = own.slice(next, next + ADDRESSES_AT_ONCE).map(forwarder => forwarder.own)
    const { holdings, calls } = await network.sweep({ addresses, chainId, assetId, isWorth })
    sweep.addresses += addresses.length
    sweep.holdings.push(
      ...holdings.map(held => ({
        ...held,
        orderId: asserted(orders.get(held.attemptId), 'each attempt has an order'),
      })),
    )
    sweep.calls.push(...calls)
  }
}

/** The money on the forwarders and seed addresses of these attempts, on chains that answer. */
export async function findUnpaidMoney(
  context: Pick<Context, 'networks'>,
  unpaid: UnpaidAttempt[],
): Promise<OrderHolding[]> {
  const statuses = new Map(unpaid.map(({ attempt, orderStatus }) => [attempt.id, orderStatus]))
  const forwarders = unpaid
    .flatMap(({ attempt }) => givenOf(context, attempt))
    .filter((given): given is Forwarder => given.recipe !== null)
  const holdings = await findHoldings(context, forwarders)
  return holdings.map(held => ({
    ...held,
    orderStatus: asserted(statuses.get(held.attemptId), 'each attempt has an order'),
  }))
}
