import { fromUnitsShort } from '../../domain/money.ts'
import { findUnpaidMoney } from '../../operations/addresses/sweep.ts'
import { type Check, type Finding, warning } from './finding.ts'
import { networksFor } from './upstreams.ts'

/** Max payments to list; the rest is only counted, and florin sweep lists it. */
const OWN_MAX = 20

/** Reports money in the merchant's own wallets that paid no order. */
export const ownMoney: Check = context => {
  const known = networksFor(context)
  return (context.rows?.merchants ?? []).flatMap(({ merchant, ownMoney: all }) => {
    const check = `money of ${merchant.name}`
    const named = all.slice(0, OWN_MAX).map(own => {
      const { assetId, amountAtomic, address, orderId, orderStatus } = own
      const decimals = own.decimals ?? known?.asset(assetId)?.decimals
      const amount =
        decimals === undefined ? `${amountAtomic} base units` : fromUnitsShort(amountAtomic, decimals)
      const order = `its order ${orderId} is ${orderStatus}`
      const message = `${amount} ${assetId} arrived at ${address}, but ${order}.`
      const list = `florin unmatched list --merchant ${merchant.id}`
      return warning(check, message, `It is in your own wallet. Refund the buyer, or accept it: see ${list}.`)
    })
    if (all.length <= OWN_MAX) return named
    const rest = `${all.length - OWN_MAX} more payments arrived for orders that are not PAID.`
    return [...named, warning(check, rest, `Run florin sweep --merchant ${merchant.id} to list them.`)]
  })
}

/** Reports money on forwarders and seed addresses that paid no order. */
export const unpaidMoney: Check = async context => {
  const known = context.settings.sandbox ? null : networksFor(context)
  if (!known || !context.rows) return []
  const found = await Promise.all(
    context.rows.merchants.map(async ({ merchant, unpaid }): Promise<Finding[]> => {
      const holdings = await findUnpaidMoney({ networks: known }, unpaid)
      return holdings.map(({ token, amount, address, orderId, orderStatus }) => {
        const money = `${fromUnitsShort(amount, token.decimals)} ${token.id}`
        const message = `${money} is at ${address}, but its order ${orderId} is ${orderStatus}.`
        const sweep = `To move it: florin sweep --merchant ${merchant.id}`
        const remedy = `Refund the buyer, or mark the order as paid. ${sweep}`
        return warning(`money of ${merchant.name}`, message, remedy)
      })
    }),
  )
  return found.flat()
}
