import type { SourceKind } from '../../domain/address-source.ts'
import { type Asset, type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import type { LightningAccount } from '../../domain/lightning.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { CoinLack } from '../../domain/payment-methods.ts'
import { type PayoutProblem, payoutProblemOf } from '../../domain/payout-check.ts'
import { gapLimitFor } from '../../domain/unpaid-run.ts'
import { type ConfiguredSource, listSources, type NetworkSources } from '../addresses/list-sources.ts'
import { chooseKind } from '../addresses/steps/load-sources.ts'
import { isPoolLow } from '../addresses/steps/pool-notices.ts'
import type { Context } from '../context.ts'
import type { OfferContext } from './list-offers.ts'
import { type Choice, findRoutes, openChoice } from './steps/choose-route.ts'

interface CoinState {
  asset: Asset
  /** source of the coin's addresses; null if there is none */
  kind: SourceKind | null
  /** the reasons why buyers cannot pay with the coin; empty if they can */
  lacks: CoinLack[]
}

interface SourceShown extends ConfiguredSource {
  /** the gap limit that the wallet needs; null for a pool */
  gapLimit: number | null
  /** true if the run of addresses without a payment has reached its end */
  isUsedUp: boolean
  /** true for a pool with few addresses left */
  isLow: boolean
}

/** The payout of one network, and the coins that buyers can pay with. */
export interface PayoutState {
  network: WalletNetwork
  payoutAddress: string | null
  sources: SourceShown[]
  lightning: LightningAccount | null
  coins: CoinState[]
  /** the problems of the payout wallet */
  warnings: PayoutProblem[]
}

export type PayoutsContext = OfferContext & Pick<Context, 'storage'>

/** The currency in which rates are requested, as by `florin doctor`. */
const CURRENCY = 'USD'

/** The longest time that a page waits for an endpoint's answer about one asset. */
const WAIT_MS = 3000

/** Reads where a merchant's money goes on every network, or on one, and what is missing. */
export async function readPayouts(
  context: PayoutsContext,
  merchant: Pick<Merchant, 'id' | 'cryptoFirst'>,
  only: WalletNetwork | null = null,
): Promise<PayoutState[]> {
  const [configured, choice] = await Promise.all([
    listSources(context, merchant.id),
    openChoice(context, merchant, false),
  ])
  const known = walletNetworks.filter(
    network =>
      (only === null || network === only) && context.networks.assets.some(asset => asset.network === network),
  )
  return Promise.all(
    known.map(network => {
      const found = configured.find(one => one.network === network)
      return stateOf(context, choice, found ?? nothingSet(network))
    }),
  )
}

const nothingSet = (network: WalletNetwork): NetworkSources => ({
  ...{ network, payoutAddress: null, setUps: [], lightning: null, assets: [] },
})

async function stateOf(
  context: PayoutsContext,
  choice: Choice,
  { network, payoutAddress, setUps, lightning }: NetworkSources,
): Promise<PayoutState> {
  const isSet = payoutAddress !== null || setUps.length > 0 || lightning !== null
  const assets = context.networks.assets.filter(asset => asset.network === network)
  const problems = payoutAddress === null ? [] : await choice.payoutProblems(network, payoutAddress)
  return {
    network,
    payoutAddress,
    sources: setUps.map(setUp => shownOf(context, setUp)),
    lightning,
    coins: await Promise.all(
      assets.map(async asset => ({
        asset,
        kind: chooseKind(context, choice.sources, asset, payoutAddress),
        lacks: isSet
          ? await lacksOf(context, choice, asset, payoutAddress)
          : await ownLacks(context, choice, asset, null),
      })),
    ),
    warnings: problems,
  }
}

function shownOf({ policy }: Pick<Context, 'policy'>, setUp: ConfiguredSource): SourceShown {
  const { run } = setUp
  const isUsedUp = run === null ? setUp.free === 0 : run.count >= policy.unpaidAddressesMax
  const isLow = setUp.free !== null && isPoolLow(setUp.free)
  return { ...setUp, gapLimit: run && gapLimitFor(run), isUsedUp, isLow }
}

/** Returns what a coin lacks. Looks for routes as offers do: a coin that a provider forwards needs less. */
async function lacksOf(
  context: PayoutsContext,
  choice: Choice,
  asset: Asset,
  payoutAddress: string | null,
): Promise<CoinLack[]> {
  const routes = await inTime(findRoutes(context, { asset, sources: choice.sources, payoutAddress }, choice))
  const isPayable = routes !== null && routes.length > 0
  const lacks: CoinLack[] = isPayable ? [] : await ownLacks(context, choice, asset, payoutAddress)
  const rate = await inTime(context.rates.rate(asset.id, CURRENCY, true))
  return rate ? lacks : [...lacks, 'rate']
}

async function ownLacks(
  context: PayoutsContext,
  choice: Choice,
  asset: Asset,
  payoutAddress: string | null,
): Promise<CoinLack[]> {
  const lacks: CoinLack[] = []
  const network = context.networks.of(asset.chain)
  if (!network) lacks.push('endpoint')
  if (chooseKind(context, choice.sources, asset, payoutAddress) === null) return [...lacks, 'source']
  if (payoutAddress !== null) {
    const problems = await choice.payoutProblems(asset.network, payoutAddress)
    if (payoutProblemOf(problems, asset) !== null) return [...lacks, 'payout']
  }
  return lacks.length > 0 ? lacks : ['unusable']
}

/** The result of the work, or null if it takes too long. */
export async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, WAIT_MS, null)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
