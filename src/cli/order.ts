import { Command } from 'commander'
import { merchantOfOrder } from '../operations/merchants/find.ts'
import { endOrder } from '../operations/orders/end.ts'
import { forceOrder } from '../operations/orders/force.ts'
import { presentOrder } from '../present/order.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'
import { list } from './order/list.ts'
import { show } from './order/show.ts'

interface Force {
  merchant: string
  order: string
  by: string
  reason: string
  anyway?: boolean
}

const force = (cli: Cli) =>
  command('force', 'mark an UNPAID order as paid manually (no transaction is recorded)')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--order <uuid>', 'ID of the order (orderUUID)')
    .requiredOption('--by <name>', 'name of the person who decided')
    .requiredOption('--reason <text>', 'reason for the decision, 3 to 500 characters')
    .option('--anyway', 'mark it as paid even while a payment of the order is being confirmed')
    .action(
      cli.withContext(async (context, { merchant, order, by, reason, anyway }: Force) => {
        const view = await forceOrder(context, { merchantId: merchant, orderId: order, by, reason, anyway })
        const json = presentOrder(view, context.policy.checkoutUrl)
        const { orderUUID, amount, currency, forcedBy } = json
        return {
          json,
          text: `Order ${orderUUID} (${amount} ${currency}) is now PAID (marked manually by ${forcedBy})`,
        }
      }),
    )

const end = (cli: Cli) =>
  command('end', 'expire an UNPAID order now; what was sent before still counts in time')
    .argument('<uuid>', 'ID of the order (orderUUID)')
    .action(
      cli.withContext(async (context, given: string) => {
        const id = given.toLowerCase()
        const view = await endOrder(context, await merchantOfOrder(context, id), id)
        const json = presentOrder(view, context.policy.checkoutUrl)
        const { orderUUID, amount, currency, status } = json
        return { json, text: `Order ${orderUUID} (${amount} ${currency}) is ${status}` }
      }),
    )

export const order = (cli: Cli): Command =>
  new Command('order')
    .description('list, find and manage orders')
    .addCommand(list(cli))
    .addCommand(show(cli))
    .addCommand(force(cli))
    .addCommand(end(cli))
