import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import {
  type UnmatchedModel,
  type UnmatchedStatus,
  unmatchedBody,
  unmatchedStatuses,
} from '../../../views/dashboard/unmatched.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { SkippedPayment } from '../../domain/skipped-payment.ts'
import { acceptUnmatched } from '../../operations/payments/accept-unmatched.ts'
import { browseUnmatched } from '../../operations/payments/browse-unmatched.ts'
import { canSendBack, refundUnmatched } from '../../operations/payments/refund-unmatched.ts'
import { listSkippedPayments, resolveUnmatched } from '../../operations/payments/unmatched.ts'
import { emailsOfUsers } from '../../operations/people/emails.ts'
import { skippedRow, unmatchedRow } from '../../present/unmatched.ts'
import { optional, text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import { nameIn } from './orders/model.ts'
import type { View } from './page.ts'
import { pageLinks, pageStart, urlWith } from './paging.ts'
import { problemText } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/unmatched'
const SIZE = 15
const BY_MAX = 128

/** The status in a URL. For an unknown one, open payments are shown. */
const statusOf = (given: string | undefined): UnmatchedStatus | 'all' =>
  unmatchedStatuses.find(one => one === given) ?? 'open'

const urlOf = (status: UnmatchedStatus | 'all'): string =>
  urlWith(PATH, { status: status === 'open' ? '' : status })

const outcomes = ['accepted', 'resolved', 'sentBack'] as const

/** A form that was refused, and the values that were entered. */
interface RefusedDecision {
  refusal: Refusal
  /** null for a refund, for which nothing is entered */
  entered: UnmatchedModel['entered']
}

function problemOf(locale: DashboardLocale, { refusal, entered }: RefusedDecision): string {
  const { problems } = locale.texts.unmatched
  if (refusal.code === 'conflict') return problems.conflict
  if (entered === null) {
    return refusal.code === 'provider_unavailable' ? problems.providerAway : problems.notRefundable
  }
  return refusal.code === 'validation_error' ? problems.tooLong[entered.action] : problemText(locale, refusal)
}

/** The skipped payments for a page. There are few of them, so all are on the first page. */
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

async function showUnmatched(
  { context, deps, merchant, may }: ShopVisit,
  query: { status?: string; page?: string; done?: string },
  refused: RefusedDecision | null = null,
): Promise<View> {
  const status = statusOf(query.status)
  const start = pageStart(query.page)
  const filter = { merchantId: merchant.id, status: status === 'all' ? undefined : status }
  const { items, next } = await browseUnmatched(context, filter, SIZE, start)
  const skipped = await skippedOn(context, merchant.id, status, start)
  const userIds = [...items.map(({ payment }) => payment), ...skipped].flatMap(({ decidedBy }) =>
    decidedBy?.startsWith('user:') ? [decidedBy.slice('user:'.length)] : [],
  )
  const emails = await emailsOfUsers(context, userIds)
  return locale => {
    const own = {
      asset: (id: string) => context.networks.asset(id),
      look: deps.look,
      isSandbox: deps.isSandbox,
      nameOf: nameIn(locale, emails),
      locale,
      now: context.clock(),
      mayAccept: may('owner'),
      mayResolve: may('staff'),
      maySendBack: may('owner'),
      canSendBack: (incoming: IncomingPayment) => canSendBack(context.providers, incoming),
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
        done: outcomes.find(one => one === query.done) ?? null,
        problem: refused && problemOf(locale, refused),
        entered: refused?.entered ?? null,
      }),
    }
  }
}

const decisionForm = (
  action: 'accept' | 'resolve',
  sender: { proof: 'owner' } | { access: 'staff' },
  decide: (visit: ShopVisit, id: string, text: string) => Promise<unknown>,
): Route =>
  form({
    path: `${PATH}/:payment/${action}`,
    ...sender,
    fields: { status: optional(), page: optional(), text: text(4000) },
    run: visit => decide(visit, visit.params.payment.toLowerCase(), visit.body.text),
    done: `${PATH}?done=${action === 'accept' ? 'accepted' : 'resolved'}`,
    refused(refusal, visit) {
      const id = visit.params.payment.toLowerCase()
      return showUnmatched(visit, visit.body, { refusal, entered: { id, action, text: visit.body.text } })
    },
  })

/** The page of payments that did not complete their orders. */
export const unmatchedRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'viewer',
    query: { status: optional(), page: optional(), done: optional() },
    show: visit => showUnmatched(visit, visit.query),
  }),
  decisionForm('accept', { proof: 'owner' }, ({ context, merchant, user }, id, reason) =>
    acceptUnmatched(context, merchant.id, [id], { by: user.email.slice(0, BY_MAX), reason }),
  ),
  form({
    path: `${PATH}/:payment/refund`,
    proof: 'owner',
    fields: { status: optional(), page: optional() },
    run: ({ context, merchant, params }) =>
      refundUnmatched(context, merchant.id, params.payment.toLowerCase()),
    done: `${PATH}?done=sentBack`,
    refused: (refusal, visit) => showUnmatched(visit, visit.body, { refusal, entered: null }),
  }),
  decisionForm('resolve', { access: 'staff' }, ({ context, merchant }, id, note) =>
    resolveUnmatched(context, merchant.id, id, note),
  ),
]
