import { minorOf, toUnits } from '../../domain/money.ts'
import {
  type ChainFunds,
  type FundsReminder,
  valueOfFunds,
  type WaitingFunds,
} from '../../domain/waiting-funds.ts'
import { type Network, NetworkError, type OwnAddress } from '../../networks/port.ts'
import type { RateOf } from '../../rates/port.ts'
import type { HeldFunds, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { usualCurrencyOf } from '../merchants/usual-currency.ts'
import { notifyOf } from '../notices/notify.ts'
import { listUnmoved, type Unmoved } from './steps/list-unmoved.ts'
import { type FundsBalance, priceFunds, readFeeRate, usualFeeOf, worthOf } from './steps/price-funds.ts'
import { noteFound } from './sweep-transactions.ts'

type FundsContext = Pick<Context, 'storage' | 'networks' | 'rates' | 'clock' | 'ids' | 'log'>

const EVERY_MS = 3600_000
const ADDRESSES_AT_ONCE = 500
/**
 * A reminder is sent again only after the waiting value was below this part of its amount, because rates go
 * up and down.
 */
const AGAIN_PERCENT = 80n

/**
 * Reads the funds that wait on forwarders and seed addresses, with their value and the fee of moving them,
 * for pages. Notifies the people of a shop once when the value reaches the amount that they chose. Returns
 * the time of the next check.
 */
export async function watchFunds(context: FundsContext): Promise<number> {
  const { unmoved, found } = await listUnmoved(context)
  await noteFound(context, found)
  const byMerchant = Map.groupBy(unmoved, ({ merchantId }) => merchantId)
  const known = await context.storage.read(tables => tables.funds.list())
  // Shops whose last funds were moved are included, because their stored sums have to be corrected.
  const merchantIds = new Set([...byMerchant.keys(), ...known.map(({ merchantId }) => merchantId)])
  if (merchantIds.size === 0) return context.clock() + EVERY_MS
  const rateOf = await context.rates.latest(true)
  for (const id of merchantIds) await lookFor(context, rateOf, id, byMerchant.get(id) ?? [])
  return context.clock() + EVERY_MS
}

/** The answer of one chain; `funds` is null if the chain could not be read. */
type Look = { chain: string; funds: ChainFunds; held: HeldFunds[] } | { chain: string; funds: null }

async function lookFor(
  context: FundsContext,
  rateOf: RateOf,
  merchantId: string,
  unmoved: readonly Unmoved[],
): Promise<void> {
  const currency = await context.storage.read(tables => usualCurrencyOf(tables, merchantId))
  const looks: Look[] = []
  for (const [chain, own] of Map.groupBy(unmoved, one => one.chain)) {
    looks.push(await lookAt(context, rateOf, currency, chain, own))
  }
  await context.storage.write(async tables => {
    const known = await tables.funds.find(merchantId)
    const chains = looks.flatMap(({ chain, funds }) => {
      // If a chain does not answer, its last figures stay, with their age.
      const former = known?.currency === currency ? known.chains.find(one => one.chain === chain) : undefined
      return funds ?? former ?? []
    })
    for (const look of looks) {
      if (look.funds) for (const held of look.held) await tables.funds.putHeld(held)
    }
    const held = chains.filter(({ sums }) => sums.length > 0)
    const isComplete = looks.every(({ funds }) => funds !== null)
    const reminded = await remind(
      context,
      tables,
      rateOf,
      {
        merchantId,
        currency,
        chains: held,
        reminded: known?.reminded ?? null,
      },
      isComplete,
    )
    await tables.funds.put({ merchantId, currency, chains: held, reminded })
  })
}

async function lookAt(
  context: FundsContext,
  rateOf: RateOf,
  currency: string,
  chain: string,
  own: readonly Unmoved[],
): Promise<Look> {
  const { networks, clock } = context
  const network = networks.of(chain)
  const chainId = own[0]?.chainId ?? null
  // The sandbox's chains have no funds to move, so they are never read.
  if (!network?.movingFees) return { chain, funds: null }
  try {
    const balances = await readBalances(context, network, own)
    const lookedAt = clock()
    const fees = network.movingFees(chainId)
    const rate = balances.length > 0 ? await readFeeRate(fees) : null
    const feeAtomic = rate && usualFeeOf(fees, rate, balances, networks)
    const funds = priceFunds(context, rateOf, currency, { chain, chainId, lookedAt, balances, feeAtomic })
    return { chain, funds, held: changedIn(own, balances, lookedAt) }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    context.log.info({ chain, reason: error.message }, 'funds.unreadable')
    return { chain, funds: null }
  }
}

async function readBalances(
  { networks }: Pick<Context, 'networks'>,
  network: Network,
  own: readonly Unmoved[],
): Promise<FundsBalance[]> {
  const found: FundsBalance[] = []
  for (let next = 0; next < own.length; next += ADDRESSES_AT_ONCE) {
    const some = own.slice(next, next + ADDRESSES_AT_ONCE)
    const { sameAddresses } = network
    if (!sameAddresses) {
      found.push(...(await readBySweep(network, some)))
      continue
    }
    for (const [address, held] of await sameAddresses.balances(some.map(one => one.address))) {
      found.push(
        ...held.flatMap(({ assetId, amountAtomic: atomic }) => {
          const decimals = networks.asset(assetId)?.decimals
          return decimals === undefined ? [] : [{ address, assetId, decimals, atomic }]
        }),
      )
    }
  }
  return found
}

async function readBySweep(network: Network, addresses: OwnAddress[]): Promise<FundsBalance[]> {
  const request = { addresses, chainId: null, assetId: null, isWorth: () => true }
  const { holdings = [] } = (await network.sweep?.(request)) ?? {}
  return holdings.map(({ address, token, amount: atomic }) => ({
    address,
    assetId: token.id,
    decimals: token.decimals,
    atomic,
  }))
}

/**
 * The rows of addresses to store: those that hold something else than before, are new or are empty. An empty
 * address is stored each time, because the time of the check shows that it was emptied after its last
 * payment.
 */
function changedIn(
  own: readonly Unmoved[],
  balances: readonly FundsBalance[],
  lookedAt: number,
): HeldFunds[] {
  const byAddress = Map.groupBy(balances, ({ address }) => address)
  return own.flatMap(({ attemptId, chain, merchantId, address, known }) => {
    const holdings = (byAddress.get(address) ?? []).map(({ assetId, atomic }) => ({
      assetId,
      atomic: atomic.toString(),
    }))
    const isSame = JSON.stringify(known?.holdings) === JSON.stringify(holdings)
    return isSame && holdings.length > 0 ? [] : [{ attemptId, chain, merchantId, holdings, lookedAt }]
  })
}

/**
 * Notifies the people of a shop once when the waiting funds reach the amount of its reminder. Returns the
 * reminder if it was sent and is not to be sent again; null otherwise.
 */
async function remind(
  context: FundsContext,
  tables: Tables,
  rateOf: RateOf,
  { merchantId, chains, reminded }: WaitingFunds,
  isComplete: boolean,
): Promise<FundsReminder | null> {
  const reminder = (await tables.merchants.find(merchantId))?.fundsReminder ?? null
  if (reminder === null) return null
  const { amount, currency } = reminder
  const inItsCurrency = chains.map(chain => valuedIn(context, rateOf, currency, chain))
  const { value, isPartial } = valueOfFunds(inItsCurrency, currency)
  const [waiting, least] = [minorOf(value, currency), minorOf(amount, currency)]
  const isNotified = reminded?.amount === amount && reminded.currency === currency
  // The value may be lower only because something could not be read, which is no reason to notify again.
  if (isNotified) {
    const isOver = isComplete && !isPartial && waiting * 100n < least * AGAIN_PERCENT
    return isOver ? null : reminder
  }
  if (waiting < least) return null
  const facts = { value: `${value} ${currency}`, from: `${amount} ${currency}` }
  await notifyOf(context, tables, merchantId, { about: 'funds_waiting', ...facts })
  return reminder
}

/** Values funds in the currency of the reminder. The shop may have changed its own currency since. */
const valuedIn = (
  { networks }: Pick<Context, 'networks'>,
  rateOf: RateOf,
  currency: string,
  chain: ChainFunds,
): ChainFunds => ({
  ...chain,
  sums: chain.sums.map(({ assetId, amount }) => {
    const decimals = networks.asset(assetId)?.decimals
    const atomic = decimals === undefined ? null : toUnits(amount, decimals)
    const isKnown = decimals !== undefined && atomic !== null
    return {
      assetId,
      amount,
      value: isKnown ? worthOf(rateOf, { assetId, decimals, atomic }, currency) : null,
    }
  }),
})
