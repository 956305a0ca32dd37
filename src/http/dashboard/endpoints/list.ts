import { Type } from '@sinclair/typebox'
import { type Exchange, endpointsBody, type RatesModel } from '../../../../views/dashboard/endpoints.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { UpstreamProblem } from '../../../domain/upstream-fault.ts'
import { addRateSource, removeRateSource } from '../../../operations/upstreams/choose-rates.ts'
import { oneOf, optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText } from '../problem.ts'
import type { PersonVisit } from '../visit.ts'
import { type WayBack, wayBackIn, wayBackUrl } from './way-back.ts'

const PATH = '/dashboard/endpoints'
const RATES = `${PATH}/rates` as const
const source = { name: text(30), back: optional(40) }

/** The message about the form that led to the page. */
type RateMessage = RatesModel['done']
type MessageIn = (locale: DashboardLocale) => RateMessage

const nameIn = ({ texts: { endpoints } }: DashboardLocale, name: string): string =>
  Object.hasOwn(endpoints.exchanges, name) ? endpoints.exchanges[name as Exchange] : name

/**
 * The warning about an unusable source: a usual fault in the language of the page, and the answer of the
 * source.
 */
function unusable({ texts }: DashboardLocale, text: string, { fault, reason }: UpstreamProblem): RateMessage {
  return { tone: 'warn', text: fault ? `${text} ${texts.upstreamFaults[fault]}` : text, detail: reason }
}

const goodText = (text: string): RateMessage => ({ tone: 'good', text, detail: null })

const refusedText =
  (refusal: Refusal, name: string): MessageIn =>
  locale => {
    const { endpoints } = locale.texts
    const { code, reason } = refusal
    if (reason?.kind === 'unusable_source')
      return unusable(locale, endpoints.rateProblem({ name: nameIn(locale, name) }), reason.problem)
    const isAlone = code === 'validation_error' && name === 'binance'
    const text = isAlone ? endpoints.binanceAlone : problemText(locale, refusal)
    return { tone: 'warn', text, detail: null }
  }

const testText =
  (problem: UpstreamProblem | null, name: string): MessageIn =>
  locale => {
    const { endpoints } = locale.texts
    if (problem === null) return goodText(endpoints.rateTested({ name: nameIn(locale, name) }))
    return unusable(locale, endpoints.rateUnusable({ name: nameIn(locale, name) }), problem)
  }

function endpointsView(
  { context: { upstreams } }: PersonVisit,
  messageIn: MessageIn,
  back: WayBack | null = null,
): View {
  const { origin, names, exchanges } = upstreams.rates()
  const chains = upstreams
    .chains()
    .map(({ used, ...chain }) => ({ ...chain, hosts: used.map(({ url }) => new URL(url).host) }))
  const others = exchanges.filter(name => !names.includes(name)) as Exchange[]
  return locale => ({
    title: locale.texts.endpoints.title,
    body: endpointsBody(locale, {
      chains,
      rates: { origin, used: names, others, done: messageIn(locale), back },
    }),
  })
}

/**
 * The page of the endpoints that find payments and the sources that price coins. They belong to the server,
 * so only operators choose them.
 */
export const endpointListRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'operator',
    query: { rates: Type.Optional(oneOf(['added', 'removed'])), back: optional(40) },
    show(visit) {
      const { rates } = visit.query
      const messageIn: MessageIn = ({ texts: { endpoints } }) =>
        rates === undefined ? null : goodText(rates === 'added' ? endpoints.rateAdded : endpoints.removed)
      return endpointsView(visit, messageIn, wayBackIn(visit.query))
    },
  }),
  form({
    path: RATES,
    proof: 'operator',
    fields: source,
    run: ({ context, body }) => addRateSource(context, body.name),
    done(_, { body }) {
      const back = wayBackIn(body)
      return back ? wayBackUrl(back) : `${PATH}?rates=added#rates`
    },
    refused: (refusal, visit) =>
      endpointsView(visit, refusedText(refusal, visit.body.name), wayBackIn(visit.body)),
  }),
  form({
    path: `${RATES}/test`,
    access: 'operator',
    fields: source,
    run({ context: { upstreams }, body }) {
      if (!upstreams.rates().names.includes(body.name)) throw new Refusal('not_found')
      return upstreams.tryRateSource(body.name)
    },
    done: (problem, visit) => endpointsView(visit, testText(problem, visit.body.name)),
  }),
  form({
    path: `${RATES}/remove`,
    proof: 'operator',
    fields: source,
    run: ({ context, body }) => removeRateSource(context, body.name),
    done: `${PATH}?rates=removed#rates`,
    // The only removal that is refused is one that leaves Binance as the only source.
    refused: (refusal, visit) => endpointsView(visit, refusedText(refusal, 'binance')),
  }),
]
