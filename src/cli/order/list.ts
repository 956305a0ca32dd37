import { Option } from 'commander'
import { type OrderStatus, orderStatuses } from '../../domain/order.ts'
import { testShopOf } from '../../domain/test-shop.ts'
import { listMerchants } from '../../operations/merchants/read.ts'
import { findOrders } from '../../operations/orders/read.ts'
import { presentOrder } from '../../present/order.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from '../cli.ts'

interface List {
  merchant?: string
  status?: OrderStatus
  email?: string
  externalId?: string
  tx?: string
  address?: string
  test?: boolean
  limit: string
}

const head = ['orderUUID', 'status', 'amount', 'customer', 'externalId', 'createdAt']

export const list = (cli: Cli) =>
  command(
    'list',
    'list orders, newest first, or find one by its email address, external ID, transaction or address',
  )
    .option('--merchant <id>', `${MERCHANT_ID}; without it, the orders of all merchants`)
    .addOption(new Option('--status <status>', 'status of the order').choices(orderStatuses))
    .option('--email <email>', "the customer's email address")
    .option('--external-id <id>', "your system's ID of the order (externalId)")
    .option('--tx <hash>', 'ID of a transaction that paid it, or that moved its money to the payout wallet')
    .option('--address <address>', 'address that the buyer paid to')
    .option('--test', 'list test orders instead of live ones')
    .option('--limit <n>', 'maximum number of orders, 1 to 500', '100')
    .action(
      cli.withContext(async (context, { merchant, limit, test, ...search }: List) => {
        const { status, email, externalId, tx, address } = search
        const ids = merchant === undefined ? (await listMerchants(context)).map(({ id }) => id) : [merchant]
        const lists = ids.map(id => {
          const merchantId = test ? testShopOf(id) : id
          const wanted = { merchantId, status, email, externalId, tx, address }
          return findOrders(context, wanted, Number(limit))
        })
        const found = (await Promise.all(lists))
          .flat()
          .sort((a, b) => b.order.createdAt - a.order.createdAt)
          .slice(0, Number(limit))
        const items = found.map(view => presentOrder(view, context.policy.checkoutUrl))
        const rows = items.map(item => [
          item.orderUUID,
          item.status,
          `${item.amount} ${item.currency}`,
          item.customerEmail,
          item.externalId ?? '-',
          item.createdAt,
          ...(merchant === undefined ? [item.merchantId] : []),
        ])
        const columns = merchant === undefined ? [...head, 'merchantId'] : head
        return { json: { items }, text: rows.length > 0 ? tableOf([columns, ...rows]) : 'No orders.' }
      }),
    )
