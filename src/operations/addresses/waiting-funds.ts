import { chainOf } from '../../domain/asset.ts'
import type { ChainFunds, WaitingFunds } from '../../domain/waiting-funds.ts'
import type { FeeRate } from '../../networks/port.ts'
import type { Context } from '../context.ts'
import { usualCurrencyOf } from '../merchants/usual-currency.ts'
import { priceFunds, readFeeRate } from './steps/price-funds.ts'
import type { Sweep } from './sweep.ts'

/**
 * Funds that wait to be moved, as last read from the chains; null before the first time. Sends no request.
 */
export const readWaitingFunds = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<WaitingFunds | null> => storage.read(tables => tables.funds.find(merchantId))

type PricedSweep = Pick<WaitingFunds, 'currency' | 'chains'>

/** Adds up the movable funds that a sweep found, with their value and the present fee of its transactions. */
export async function priceSweep(
  context: Pick<Context, 'storage' | 'networks' | 'rates' | 'clock'>,
  merchantId: string,
  { holdings, calls }: Pick<Sweep, 'holdings' | 'calls'>,
): Promise<PricedSweep> {
  const { storage, networks, rates, clock } = context
  const currency = await storage.read(tables => usualCurrencyOf(tables, merchantId))
  const movable = holdings.filter(({ stuckReason }) => stuckReason === null)
  if (movable.length === 0) return { currency, chains: [] }
  const rateOf = await rates.latest(true)
  const chains: ChainFunds[] = []
  for (const [chain, own] of Map.groupBy(movable, ({ token }) => chainOf(token.id))) {
    const chainId = networks.assets.find(asset => asset.chain === chain)?.chainId ?? null
    const fees = networks.of(chain)?.movingFees?.(chainId)
    const rate = fees ? await readFeeRate(fees) : null
    const isOfChain = (call: Sweep['calls'][number]): boolean =>
      call.kind === 'evm' ? call.chainId === chainId : chain === chainOf(call.assetId)
    const funds = {
      ...{ chain, chainId, lookedAt: clock() },
      balances: own.map(({ address, token, amount: atomic }) => ({
        ...{ address, atomic },
        assetId: token.id,
        decimals: token.decimals,
      })),
      feeAtomic: rate && feeOfCalls(rate, calls.filter(isOfChain)),
    }
    chains.push(priceFunds(context, rateOf, currency, funds))
  }
  return { currency, chains }
}

const feeOfCalls = ({ perUnit, perTransaction }: FeeRate, calls: Sweep['calls']): bigint => {
  const units = calls.reduce((sum, call) => sum + (call.kind === 'evm' ? call.gas : 1), 0)
  return BigInt(units) * perUnit + BigInt(calls.length) * perTransaction
}
