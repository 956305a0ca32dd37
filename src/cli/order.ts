import { Command } from 'commander'
import type { Context } from '../operations/context.ts'
import { merchantOfOrder } from '../operations/merchants/find.ts'
import { endOrder } from '../operations/orders/end.ts'
import { forceOrder } from '../operations/orders/force.ts'
import { inspectOrder } from '../operations/orders/inspect.ts'
import { checkOrder } from '../operations/payments/check-order.ts'
import { deleteTestOrders } from '../operations/testing/delete.ts'
import { presentOrder } from '../present/order.ts'
import { presentOrderHistory } from '../present/order-history.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from './cli.ts'
import { list } from './order/list.ts'
import { textOf } from './order/text.ts'

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

const deleteTests = (cli: Cli) =>
  command('delete-tests', 'delete all test orders of a merchant, with everything that belongs to them')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const deleted = await deleteTestOrders(context, merchant)
        return { json: { deleted }, text: `Deleted ${deleted} test ${deleted === 1 ? 'order' : 'orders'}.` }
      }),
    )

export const order = (cli: Cli): Command =>
  new Command('order')
    .description('list, find and manage orders')
    .addCommand(list(cli))
    .addCommand(show(cli))
    .addCommand(force(cli))
    .addCommand(end(cli))
    .addCommand(deleteTests(cli))

async function showOrder(cli: Cli, context: Context, id: string, isChecked: boolean): Promise<Answer> {
  const merchantId = await merchantOfOrder(context, id)
  const problems = isChecked ? await checkOrder(context, id) : []
  const history = await inspectOrder(context, merchantId, id)
  const json = presentOrderHistory(context, history)
  for (const problem of problems) cli.terminal.complain(`Could not ask ${problem}`)
  return { json, text: textOf(json), exitCode: problems.length > 0 ? 1 : 0 }
}

const show = (cli: Cli) =>
  command('show', 'show an order with its payments, events and changes, to answer a buyer who says they paid')
    .argument('<uuid>', 'ID of the order (orderUUID)')
    .option('--check', 'first ask the chain or the provider for payments, and record them')
    .addHelpText('after', '\nWith --check, exits with 1 if a chain or a provider could not be asked.')
    .action(
      cli.withContext((context, id: string, { check = false }: { check?: boolean }) =>
        showOrder(cli, context, id.toLowerCase(), check),
      ),
    )
