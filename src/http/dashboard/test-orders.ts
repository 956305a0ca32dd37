import { testOrdersBody } from '../../../views/dashboard/test-orders.ts'
import { testShopOf } from '../../domain/test-shop.ts'
import { listOrders } from '../../operations/orders/read.ts'
import { deleteTestOrders } from '../../operations/testing/delete.ts'
import { curlLine } from '../../present/curl-line.ts'
import { optional } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/test-orders'
const SHOWN_MAX = 50

async function showTestOrders({ context, merchant }: ShopVisit, isDeleted: boolean): Promise<View> {
  const { items } = await listOrders(context, { merchantId: testShopOf(merchant.id) }, SHOWN_MAX, null)
  const { checkoutUrl } = context.policy
  return locale => ({
    title: locale.texts.testOrders.title,
    body: testOrdersBody(locale, {
      orders: items.map(({ order }) => ({
        ...{ id: order.id, externalId: order.externalId, createdAt: order.createdAt, status: order.status },
        amount: { amount: order.amount, currency: order.currency },
        url: `${checkoutUrl}/pay/${order.id}/test`,
      })),
      command: curlLine(checkoutUrl, '$FLORIN_TEST_KEY', '*', '/v1/test/orders'),
      isDeleted,
    }),
  })
}

/** The page of test orders, which are kept apart from live ones. */
export const testOrderRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { deleted: optional() },
    show: visit => showTestOrders(visit, visit.query.deleted !== undefined),
  }),
  form({
    path: `${PATH}/delete`,
    access: 'owner',
    run: ({ context, merchant }) => deleteTestOrders(context, merchant.id),
    done: `${PATH}?deleted`,
  }),
]
