import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { productsBody } from '../../../../views/dashboard/products.ts'
import { invalid, type Refusal } from '../../../domain/errors.ts'
import { imageOf } from '../../../domain/product.ts'
import { isAllowed } from '../../../domain/user.ts'
import { archiveProducts } from '../../../operations/products/archive.ts'
import { browseProducts, type CountedProduct, ORDERS_MAX } from '../../../operations/products/read.ts'
import { requirePerson, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { chosen, FormFields } from '../fields.ts'
import { renderPage, type Settable } from '../page.ts'
import { pageLinks, pageStart, urlWith } from '../paging.ts'
import { problemText, refusalOf } from '../problem.ts'

const PATH = '/dashboard/products'
const SIZE = 25

const text = Type.Optional(Type.String({ maxLength: 200 }))
const Query = Type.Object({ q: text, state: text, page: text, done: text, lang: text })

const states = ['active', 'archived', 'all'] as const
const stateOf = (given: string | undefined) => states.find(one => one === given) ?? 'active'
const isActive = { active: true, archived: false, all: undefined }
const dones = ['archived', 'restored'] as const

const rowOf = ({ product, orders }: CountedProduct) => ({
  id: product.id,
  name: product.name,
  imageUrl: imageOf(product),
  price: { amount: product.amount, currency: product.currency },
  isActive: product.active,
  orders,
  isPartial: orders === ORDERS_MAX,
})

async function show(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  query: { q?: string; state?: string; page?: string; done?: string },
  refusal: Refusal | null = null,
): Promise<string> {
  const { context, merchant, role, user } = await shopOf(deps.context, request)
  const state = stateOf(query.state)
  const name = (query.q ?? '').trim().replaceAll('\0', '')
  const start = pageStart(query.page)
  const filter = { merchantId: merchant.id, name, active: isActive[state] }
  const { items, next } = await browseProducts(context, filter, SIZE, start)
  const parameters = { q: name, state: state === 'active' ? '' : state }
  if (refusal) set.status = refusal.status
  return renderPage(deps, request, set, locale => ({
    title: locale.texts.products.title,
    body: productsBody(locale, {
      rows: items.map(rowOf),
      query: name,
      state,
      states,
      urlOf: one => urlWith(PATH, { ...parameters, state: one === 'active' ? '' : one }),
      checkoutUrl: context.policy.checkoutUrl,
      ...pageLinks(PATH, parameters, start, next),
      mayChange: isAllowed('staff', role, user.isOperator),
      done: dones.find(one => one === query.done) ?? null,
      problem: refusal && problemText(locale, refusal),
    }),
  }))
}

/** The list of products, where several are archived or restored at once. */
export const productListPages = (deps: DashboardDeps) =>
  new Elysia()
    .get(PATH, ({ query, request, set }) => show(deps, request, set, query), {
      ...requirePerson(deps.context, 'viewer'),
      query: Query,
    })
    .post(
      `${PATH}/archive`,
      async ({ body, redirect, request, set }) => {
        const { context, merchant } = await shopOf(deps.context, request)
        const active = body.do === 'restore'
        const ids = chosen(body, 'product')
        const refusal = await refusalOf(async () => {
          if (ids.length > SIZE) throw invalid('/product', `must be at most ${SIZE} products`)
          if (ids.length > 0) await archiveProducts(context, merchant.id, ids, active)
        })
        if (refusal) return show(deps, request, set, {}, refusal)
        if (ids.length === 0) return redirect(PATH, 303)
        return redirect(urlWith(PATH, { done: active ? 'restored' : 'archived' }), 303)
      },
      { ...requirePerson(deps.context, 'staff'), body: FormFields },
    )
