import { fromUnitsShort } from '../../domain/money.ts'
import { findUnpaidMoney } from '../../operations/addresses/unpaid-money.ts'
import { type Check, type Finding, warning } from './finding.ts'
import { networksFor } from './networks.ts'

/** Money on forwarders and seed addresses whose order was not paid with it. */
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
