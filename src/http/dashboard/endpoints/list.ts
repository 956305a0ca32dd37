import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type Exchange, endpointsBody, type RatesModel } from '../../../../views/dashboard/endpoints.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { UpstreamProblem } from '../../../domain/upstream-fault.ts'
import { addRateSource, removeRateSource } from '../../../operations/upstreams/choose-rates.ts'
import { requirePerson, requireProof } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf } from '../problem.ts'
import { operatorOf } from './operator.ts'
import { type WayBack, wayBackIn, wayBackUrl } from './way-back.ts'

const PATH = '/dashboard/endpoints'
const RATES = `${PATH}/rates`
const done = ['added', 'removed'] as const
const Query = Type.Object({
  rates: Type.Optional(Type.Union(done.map(name => Type.Literal(name)))),
  lang: Type.Optional(Type.String()),
  back: Type.Optional(Type.String({ maxLength: 40 })),
})
const SourceForm = Type.Object({
  name: Type.String({ maxLength: 30 }),
  back: Type.Optional(Type.String({ maxLength: 40 })),
})

type Done = RatesModel['done']
type DoneIn = (locale: DashboardLocale) => Done

const nameIn = ({ texts: { endpoints } }: DashboardLocale, name: string): string =>
  Object.hasOwn(endpoints.exchanges, name) ? endpoints.exchanges[name as Exchange] : name

/** A usual fault in the language of the page, and what the source answered. */
function unusable({ texts }: DashboardLocale, text: string, { fault, reason }: UpstreamProblem): Done {
  return { tone: 'warn', text: fault ? `${text} ${texts.upstreamFaults[fault]}` : text, detail: reason }
}

function refused(refusal: Refusal, name: string): DoneIn {
  return locale => {
    const { endpoints } = locale.texts
    const { reason } = refusal
    if (reason?.kind === 'unusable_source')
      return unusable(locale, endpoints.rateProblem({ name: nameIn(locale, name) }), reason.problem)
    const isAlone = refusal.code === 'validation_error' && name === 'binance'
    const text = isAlone ? endpoints.binanceAlone : problemText(locale, refusal)
    return { tone: 'warn', text, detail: null }
  }
}

const good =
  (text: (locale: DashboardLocale) => string): DoneIn =>
  locale => ({ tone: 'good', text: text(locale), detail: null })

const showIn =
  (deps: DashboardDeps) =>
  async (
    request: Request,
    set: Settable,
    doneIn: DoneIn,
    { status = 200, back = null }: { status?: number; back?: WayBack | null } = {},
  ): Promise<string> => {
    const { context } = deps
    const { origin, names, exchanges } = context.upstreams.rates()
    const chains = context.upstreams
      .chains()
      .map(({ used, ...chain }) => ({ ...chain, hosts: used.map(({ url }) => new URL(url).host) }))
    const others = exchanges.filter(name => !names.includes(name)) as Exchange[]
    set.status = status
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.endpoints.title,
      body: endpointsBody(locale, {
        chains,
        rates: { origin, used: names, others, done: doneIn(locale), back },
      }),
    }))
  }

/** What is used to see payments and to price coins. It belongs to the server, so only operators choose it. */
export const endpointListPages = (deps: DashboardDeps) => {
  const { context } = deps
  const proven = requireProof(deps, 'operator')
  const byOperator = requirePerson(context, 'operator')

  const show = showIn(deps)
  return new Elysia()
    .get(
      PATH,
      ({ query, request, set }) =>
        show(
          request,
          set,
          query.rates === undefined
            ? () => null
            : good(({ texts: { endpoints } }) =>
                query.rates === 'added' ? endpoints.rateAdded : endpoints.removed,
              ),
          { back: wayBackIn(query) },
        ),
      { ...byOperator, query: Query },
    )
    .post(
      RATES,
      async ({ body, redirect, request, set }) => {
        const operator = await operatorOf(context, request)
        const back = wayBackIn(body)
        const refusal = await refusalOf(() => addRateSource(operator.context, body.name))
        if (refusal) return show(request, set, refused(refusal, body.name), { status: refusal.status, back })
        return redirect(back ? wayBackUrl(back) : `${PATH}?rates=added#rates`, 303)
      },
      { ...proven, body: SourceForm },
    )
    .post(
      `${RATES}/test`,
      async ({ body, request, set }) => {
        const { name } = body
        if (!context.upstreams.rates().names.includes(name)) throw new Refusal('not_found')
        const problem = await context.upstreams.tryRateSource(name)
        return show(request, set, locale => {
          const { endpoints } = locale.texts
          if (problem === null)
            return { tone: 'good', text: endpoints.rateTested({ name: nameIn(locale, name) }), detail: null }
          return unusable(locale, endpoints.rateUnusable({ name: nameIn(locale, name) }), problem)
        })
      },
      { ...byOperator, body: SourceForm },
    )
    .post(
      `${RATES}/remove`,
      async ({ body, redirect, request, set }) => {
        const operator = await operatorOf(context, request)
        const refusal = await refusalOf(() => removeRateSource(operator.context, body.name))
        if (refusal) return show(request, set, refused(refusal, 'binance'), { status: refusal.status })
        return redirect(`${PATH}?rates=removed#rates`, 303)
      },
      { ...proven, body: SourceForm },
    )
}
