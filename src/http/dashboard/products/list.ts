import { productsBody } from '../../../../views/dashboard/products.ts'
import { invalid, type Refusal } from '../../../domain/errors.ts'
import { imageOf } from '../../../domain/product.ts'
import { archiveProducts } from '../../../operations/products/archive.ts'
import { browseProducts, type CountedProduct, ORDERS_MAX } from '../../../operations/products/read.ts'
import { chosen, FormFields, optional } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { pageLinks, pageStart, urlWith } from '../paging.ts'
import { problemText } from '../problem.ts'
import type { ShopVisit } from '../visit.ts'

const PATH = '/dashboard/products'
const SIZE = 25

const states = ['active', 'archived', 'all'] as const
const stateOf = (given: string | undefined) => states.find(one => one === given) ?? 'active'
const isActive = { active: true, archived: false, all: undefined }
const outcomes = ['archived', 'restored'] as const

const rowOf = ({ product, orders }: CountedProduct) => ({
  id: product.id,
  name: product.name,
  imageUrl: imageOf(product),
  price: { amount: product.amount, currency: product.currency },
  isActive: product.active,
  orders,
  isPartial: orders === ORDERS_MAX,
})

async function showProducts(
  { context, merchant, may }: ShopVisit,
  query: { q?: string; state?: string; page?: string; done?: string },
  refusal: Refusal | null = null,
): Promise<View> {
  const state = stateOf(query.state)
  const name = (query.q ?? '').trim().replaceAll('\0', '')
  const start = pageStart(query.page)
  const filter = { merchantId: merchant.id, name, active: isActive[state] }
  const { items, next } = await browseProducts(context, filter, SIZE, start)
  const parameters = { q: name, state: state === 'active' ? '' : state }
  const rows = items.map(rowOf)
  return locale => ({
    title: locale.texts.products.title,
    images: rows.map(({ imageUrl }) => imageUrl),
    body: productsBody(locale, {
      rows,
      query: name,
      state,
      states,
      urlOf: one => urlWith(PATH, { ...parameters, state: one === 'active' ? '' : one }),
      checkoutUrl: context.policy.checkoutUrl,
      ...pageLinks(PATH, parameters, start, next),
      mayChange: may('staff'),
      done: outcomes.find(one => one === query.done) ?? null,
      problem: refusal && problemText(locale, refusal),
    }),
  })
}

/** The list of products, in which several can be archived or restored at once. */
export const productListRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'viewer',
    query: { q: optional(), state: optional(), page: optional(), done: optional() },
    show: visit => showProducts(visit, visit.query),
  }),
  form({
    path: `${PATH}/archive`,
    access: 'staff',
    fields: FormFields,
    async run({ context, merchant, body }) {
      const ids = chosen(body, 'product')
      if (ids.length > SIZE) throw invalid('/product', `must be at most ${SIZE} products`)
      if (ids.length > 0) await archiveProducts(context, merchant.id, ids, body.do === 'restore')
      return ids.length
    },
    done: (count, { body }) =>
      urlWith(PATH, { done: count === 0 ? '' : body.do === 'restore' ? 'restored' : 'archived' }),
    refused: (refusal, visit) => showProducts(visit, {}, refusal),
  }),
]
