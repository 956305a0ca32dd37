import { Command } from 'commander'
import { forceOrder } from '../operations/orders/force.ts'
import { presentOrder } from '../present/order.ts'
import { type Cli, command } from './cli.ts'

interface Force {
  merchant: string
  order: string
  by: string
  reason: string
}

const force = (cli: Cli) =>
  command('force', 'manually mark an unpaid order as paid (no transaction is recorded)')
    .requiredOption('--merchant <id>', 'merchantId')
    .requiredOption('--order <uuid>', 'orderUUID')
    .requiredOption('--by <who>', 'name of the person responsible')
    .requiredOption('--reason <text>', 'reason, 3 to 500 characters')
    .action(
      cli.withContext(async (context, { merchant, order, by, reason }: Force) => {
        const view = await forceOrder(context, { merchantId: merchant, orderId: order, by, reason })
        const json = presentOrder(view, context.policy.checkoutUrl)
        const { orderUUID, amount, currency, forcedBy } = json
        return {
          json,
          text: `Order ${orderUUID} (${amount} ${currency}) is now PAID (forced by ${forcedBy})`,
        }
      }),
    )

export const order = (cli: Cli): Command =>
  new Command('order').description('manage orders').addCommand(force(cli))
