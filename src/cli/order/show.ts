import type { Context } from '../../operations/context.ts'
import { merchantOfOrder } from '../../operations/merchants/find.ts'
import { inspectOrder } from '../../operations/orders/inspect.ts'
import { checkOrder } from '../../operations/payments/check-order.ts'
import { presentOrderHistory } from '../../present/order-history.ts'
import { type Answer, type Cli, command } from '../cli.ts'
import { textOf } from './text.ts'

async function showOrder(cli: Cli, context: Context, id: string, isChecked: boolean): Promise<Answer> {
  const merchantId = await merchantOfOrder(context, id)
  const problems = isChecked ? await checkOrder(context, id) : []
  const history = await inspectOrder(context, merchantId, id)
  const json = presentOrderHistory(context, history)
  for (const problem of problems) cli.terminal.complain(`Could not ask ${problem}`)
  return { json, text: textOf(json), exitCode: problems.length > 0 ? 1 : 0 }
}

export const show = (cli: Cli) =>
  command('show', 'show an order with its payments, events and changes, to answer a buyer who says they paid')
    .argument('<uuid>', 'ID of the order (orderUUID)')
    .option('--check', 'first ask the chain or the provider for payments, and record them')
    .addHelpText('after', '\nWith --check, exits with 1 if a chain or a provider could not be asked.')
    .action(
      cli.withContext((context, id: string, { check = false }: { check?: boolean }) =>
        showOrder(cli, context, id.toLowerCase(), check),
      ),
    )
