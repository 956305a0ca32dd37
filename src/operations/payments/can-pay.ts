import type { Merchant } from '../../domain/merchant.ts'
import { ANY, type PayLack } from '../../domain/payment-methods.ts'
import { getWallet } from '../addresses/wallet.ts'
import { isNothing, offerMethods } from './list-offers.ts'
import { inTime, type PayoutState, type PayoutsContext, readPayouts } from './read-payouts.ts'

/**
 * The reasons why a shop's buyers cannot pay with any method now, whatever the amount. Empty if they can. The
 * page of a buyer asks the same for an order.
 */
export async function listPayLacks(context: PayoutsContext, merchant: Merchant): Promise<PayLack[]> {
  const wallet = await getWallet(context, merchant.id)
  const receivingWallet = wallet.addresses.evm ?? null
  const currency = merchant.currency ?? 'USD'
  const anything = { amount: '1', currency, methodKeys: [ANY], receivingWallet, isPriceOpen: true }
  const offers = await inTime(offerMethods(context, anything, { merchant, wallet }))
  if (offers && !isNothing(offers)) return []
  const lacks = wallet.includeCrypto ? lacksOf(await readPayouts(context, merchant)) : []
  if (offers?.providerAway) lacks.unshift('provider')
  return lacks.length > 0 ? lacks : ['method']
}

/** Returns what is missing for the coins that are closest to being payable. */
function lacksOf(states: readonly PayoutState[]): PayLack[] {
  const isSet = ({ payoutAddress, sources, lightning }: PayoutState) =>
    payoutAddress !== null || sources.length > 0 || lightning !== null
  const set = states.filter(isSet)
  if (set.length === 0) return ['wallet']
  const all = set.flatMap(({ coins }) => coins.map(({ lacks }) => lacks))
  const near = all.filter(lacks => !lacks.includes('endpoint') && !lacks.includes('source'))
  return [...new Set((near.length > 0 ? near : all).flat())]
}
