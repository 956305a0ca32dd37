import { Command } from 'commander'
import { merchantOfOrder } from '../operations/merchants/find.ts'
import { executeRefund } from '../operations/refunds/execute.ts'
import { type Answer, type Cli, command } from './cli.ts'

interface Options {
  order: string
  amount?: string
  key: string
  reason: string
}

const texts = {
  asked: 'The provider has not answered. The server tries again until it does.',
  pending: 'The provider has accepted the refund. It is recorded when it has succeeded.',
  succeeded: 'The refund was sent, and is recorded.',
  failed: 'The provider refused the refund.',
}

const send = (cli: Cli) =>
  command('send', 'pay money back through the provider that took the payment, and record it')
    .requiredOption('--order <uuid>', 'ID of the order (orderUUID)')
    .option(
      '--amount <amount>',
      "in the order's currency; everything that the provider can refund without it",
    )
    .requiredOption('--key <key>', 'a name for this refund; repeated, the command pays nothing more')
    .requiredOption('--reason <text>', 'reason of the refund')
    .action(
      cli.withContext(async (context, { order, amount, key, reason }: Options): Promise<Answer> => {
        const orderId = order.toLowerCase()
        const merchantId = await merchantOfOrder(context, orderId)
        const body = { reason, ...(amount !== undefined && { amount }) }
        const request = { merchantId, orderId, idempotencyKey: key, by: 'cli', body }
        const { id, status, amount: sum, currency, reference } = await executeRefund(context, request)
        const json = { orderUUID: orderId, refundId: id, status, amount: sum, currency, reference }
        return { json, text: `${sum} ${currency}: ${texts[status]}`, exitCode: status === 'failed' ? 1 : 0 }
      }),
    )

export const refund = (cli: Cli): Command =>
  new Command('refund').description('send refunds').addCommand(send(cli))
