import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import {
  type UnmatchedModel,
  type UnmatchedStatus,
  unmatchedBody,
  unmatchedStatuses,
} from '../../../views/dashboard/unmatched.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import type { SkippedPayment } from '../../domain/skipped-payment.ts'
import { isAllowed } from '../../domain/user.ts'
import { acceptUnmatched } from '../../operations/payments/accept-unmatched.ts'
import { browseUnmatched } from '../../operations/payments/browse-unmatched.ts'
import { listSkippedPayments, resolveUnmatched } from '../../operations/payments/unmatched.ts'
import { emailsOfUsers } from '../../operations/people/emails.ts'
import { skippedRow, unmatchedRow } from '../../present/unmatched.ts'
import { requirePerson, type ShopVisit, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { nameIn } from './orders/model.ts'
import { renderPage, type Settable } from './page.ts'
import { pageLinks, pageStart, urlWith } from './paging.ts'
import { problemText, refusalOf } from './problem.ts'

const PATH = '/dashboard/unmatched'
const SIZE = 15
const BY_MAX = 128

const text = Type.Optional(Type.String({ maxLength: 200 }))
const Query = Type.Object({ status: text, page: text, done: text, lang: text })
const Params = Type.Object({ payment: Type.String({ maxLength: 64 }) })
const Form = Type.Object({ status: text, page: text, text: Type.String({ maxLength: 4000 }) })

/** What is unknown in a URL is left out. */
const statusOf = (given: string | undefined): UnmatchedStatus | 'all' =>
  unmatchedStatuses.find(one => one === given) ?? 'open'

const urlOf = (status: UnmatchedStatus | 'all'): string =>
  urlWith(PATH, { status: status === 'open' ? '' : status })

const dones = ['accepted', 'resolved'] as const

interface Refused {
  refusal: Refusal
  entered: NonNullable<UnmatchedModel['entered']>
}

function problemOf(locale: DashboardLocale, { refusal, entered }: Refused): string {
  const { problems } = locale.texts.unmatched
  if (refusal.code === 'conflict') return problems.conflict
  return refusal.code === 'validation_error' ? problems.tooLong[entered.action] : problemText(locale, refusal)
}

/** There are few of them, so that all are on the first page. */
async function skippedOn(
  context: ShopVisit['context'],
  merchantId: string,
  status: UnmatchedStatus | 'all',
  start: PageStart | null,
): Promise<SkippedPayment[]> {
  if (start !== null) return []
  const all = await listSkippedPayments(context, merchantId)
  return all.filter(payment => status === 'all' || payment.status === status)
}

async function show(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  query: { status?: string | undefined; page?: string | undefined; done?: string | undefined },
  refused: Refused | null = null,
): Promise<string> {
  const { context, merchant, role, user } = await shopOf(deps.context, request)
  const status = statusOf(query.status)
  const start = pageStart(query.page)
  const filter = { merchantId: merchant.id, status: status === 'all' ? undefined : status }
  const { items, next } = await browseUnmatched(context, filter, SIZE, start)
  const skipped = await skippedOn(context, merchant.id, status, start)
  const userIds = [...items.map(({ payment }) => payment), ...skipped].flatMap(({ decidedBy }) =>
    decidedBy?.startsWith('user:') ? [decidedBy.slice('user:'.length)] : [],
  )
  const emails = await emailsOfUsers(context, userIds)
  if (refused) set.status = refused.refusal.status
  return renderPage(deps, request, set, locale => {
    const own = {
      asset: (id: string) => context.networks.asset(id),
      look: deps.look,
      isSandbox: deps.isSandbox,
      nameOf: nameIn(locale, emails),
      locale,
      now: context.clock(),
      mayAccept: isAllowed('owner', role, user.isOperator),
      mayResolve: isAllowed('staff', role, user.isOperator),
    }
    return {
      title: locale.texts.frame.nav.unmatched,
      body: unmatchedBody(locale, {
        role: own.mayAccept ? 'owner' : own.mayResolve ? 'staff' : 'viewer',
        skipped: skipped.map(payment => skippedRow(own, payment)),
        rows: items.map(row => unmatchedRow(own, row)),
        status,
        urlOf,
        page: query.page ?? '',
        ...pageLinks(PATH, { status: status === 'open' ? '' : status }, start, next),
        done: dones.find(one => one === query.done) ?? null,
        problem: refused && problemOf(locale, refused),
        entered: refused?.entered ?? null,
      }),
    }
  })
}

/** Who is named where a name is stored. */
const nameOf = ({ user }: ShopVisit): string => user.email.slice(0, BY_MAX)

const actions = {
  accept: {
    access: 'owner',
    done: 'accepted',
    act: (shop: ShopVisit, id: string, reason: string) =>
      acceptUnmatched(shop.context, shop.merchant.id, [id], { by: nameOf(shop), reason }),
  },
  resolve: {
    access: 'staff',
    done: 'resolved',
    act: (shop: ShopVisit, id: string, note: string) =>
      resolveUnmatched(shop.context, shop.merchant.id, id, note),
  },
} as const

const actionRoute = (deps: DashboardDeps, action: keyof typeof actions) => {
  const { access, done, act } = actions[action]
  return new Elysia().post(
    `${PATH}/:payment/${action}`,
    async ({ body, params, redirect, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const id = params.payment.toLowerCase()
      const refusal = await refusalOf(() => act(shop, id, body.text))
      if (!refusal) return redirect(`${PATH}?done=${done}`, 303)
      const { status, page } = body
      return show(deps, request, set, { status, page }, { refusal, entered: { id, action, text: body.text } })
    },
    { ...requirePerson(deps.context, access), params: Params, body: Form },
  )
}

/** The payments that did not complete their orders. */
export const unmatchedPages = (deps: DashboardDeps) =>
  new Elysia()
    .get(PATH, ({ query, request, set }) => show(deps, request, set, query), {
      ...requirePerson(deps.context, 'viewer'),
      query: Query,
    })
    .use(actionRoute(deps, 'accept'))
    .use(actionRoute(deps, 'resolve'))
