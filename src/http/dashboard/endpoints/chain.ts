import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { chainEndpointsBody, type TrialModel } from '../../../../views/dashboard/endpoints.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import type { EndpointTrial } from '../../../domain/endpoint.ts'
import { Refusal } from '../../../domain/errors.ts'
import {
  addEndpoint,
  listEndpoints,
  raiseEndpoint,
  removeEndpoint,
  requireChain,
  retryEndpoint,
} from '../../../operations/upstreams/choose-endpoints.ts'
import { requirePerson, requireProof } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf, refusedFields } from '../problem.ts'
import { operatorOf } from './operator.ts'
import { type WayBack, wayBackIn, wayBackUrl } from './way-back.ts'

const PATH = '/dashboard/endpoints/:chain'
const Params = Type.Object({ chain: Type.String({ maxLength: 64 }) })
const saved = ['added', 'removed', 'moved'] as const
const Query = Type.Object({
  saved: Type.Optional(Type.Union(saved.map(name => Type.Literal(name)))),
  lang: Type.Optional(Type.String()),
  back: Type.Optional(Type.String({ maxLength: 40 })),
})
const EndpointForm = Type.Object({
  text: Type.String({ maxLength: 2100 }),
  headerName: Type.Optional(Type.String({ maxLength: 100 })),
  headerValue: Type.Optional(Type.String({ maxLength: 600 })),
  back: Type.Optional(Type.String({ maxLength: 40 })),
})
const RowForm = Type.Object({ id: Type.String({ maxLength: 36 }) })

interface Shown {
  saved?: (typeof saved)[number] | undefined
  trial?: TrialModel
  refusal?: Refusal
  entered?: { text: string; headerName: string }
  back?: WayBack | null
}

/** The only part of a URL that is shown. */
function hostIn(text: string): string {
  const url = text.trim().replace(/^[a-z]+[+]/, '')
  return URL.canParse(url) ? new URL(url).host : ''
}

const trialModel = (host: string, trial: EndpointTrial, isListed: boolean): TrialModel => ({
  host,
  isListed,
  ...trial,
})

/** What the page shows of the endpoints of a chain. */
async function chainModel(deps: DashboardDeps, id: string) {
  const { context, endpointChoices } = deps
  const { name, origin, used } = requireChain(context, id)
  const choices = endpointChoices(id)
  const stored = origin === 'dashboard' ? await listEndpoints(context, id) : []
  const rows = used.map(({ url, workedAt, problem, fault }) => {
    const own = stored.find(one => one.url === url)
    const host = new URL(url).host
    return { id: own?.id ?? null, host, headerName: own?.header?.name ?? null, workedAt, problem, fault }
  })
  const isListed = (text: string) => used.some(({ url }) => text.endsWith(url))
  return {
    chain: id,
    name,
    origin,
    rows,
    setting: choices?.setting ?? '',
    example: choices?.example ?? 'https://node.example',
    choices: (choices?.endpoints ?? []).filter(({ url }) => !isListed(url)),
  }
}

function problemIn(locale: DashboardLocale, refusal: Refusal): string {
  const isPrivate = refusal.code === 'destination_not_allowed'
  return isPrivate ? locale.texts.endpoints.faults.private : problemText(locale, refusal)
}

type Show = (request: Request, set: Settable, id: string, shown: Shown) => Promise<string>

const showIn =
  (deps: DashboardDeps): Show =>
  async (request, set, id, shown) => {
    const model = await chainModel(deps, id)
    const { refusal, trial, entered } = shown
    const wrong = refusal ? refusedFields(refusal) : []
    const hasReason = trial !== undefined || wrong.length > 0
    if (refusal) set.status = refusal.status
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.endpoints.titleOf({ chain: model.name }),
      body: chainEndpointsBody(locale, {
        ...model,
        saved: shown.saved ?? null,
        back: shown.back ?? null,
        trial: trial ?? null,
        problem: refusal && !hasReason ? problemIn(locale, refusal) : null,
        entered: { text: '', headerName: '', ...entered, wrong },
      }),
    }))
  }

/** The endpoints of a chain. They belong to the server, so only operators choose them. */
export const chainEndpointPages = (deps: DashboardDeps) => {
  const { context } = deps
  const byOperator = requirePerson(context, 'operator')
  const show = showIn(deps)
  return new Elysia()
    .get(
      PATH,
      ({ params, query, request, set }) =>
        show(request, set, params.chain, { saved: query.saved, back: wayBackIn(query) }),
      {
        ...byOperator,
        params: Params,
        query: Query,
      },
    )
    .post(
      PATH,
      async ({ body, params, redirect, request, set }) => {
        const { chain } = params
        const { text, headerName = '', headerValue = '' } = body
        const operator = await operatorOf(context, request)
        const found: { trial?: EndpointTrial } = {}
        const refusal = await refusalOf(async () => {
          found.trial = await addEndpoint(operator.context, { chain, text, headerName, headerValue })
        })
        const entered = { text, headerName }
        const back = wayBackIn(body)
        if (refusal?.reason?.kind === 'unusable_endpoint') {
          const trial = trialModel(hostIn(text), refusal.reason.trial, false)
          return show(request, set, chain, { refusal, trial, entered, back })
        }
        if (refusal) return show(request, set, chain, { refusal, entered, back })
        if (found.trial && found.trial.problems.length > 0)
          return show(request, set, chain, {
            saved: 'added',
            trial: trialModel(hostIn(text), found.trial, true),
            back,
          })
        return redirect(back ? wayBackUrl(back) : `/dashboard/endpoints/${chain}?saved=added`, 303)
      },
      { ...requireProof(deps, 'operator'), params: Params, body: EndpointForm },
    )
    .use(rowForms(deps, show))
}

/** The forms of one endpoint in the list. */
const rowForms = (deps: DashboardDeps, show: Show) => {
  const { context } = deps
  const proven = requireProof(deps, 'operator')
  return new Elysia()
    .post(
      `${PATH}/test`,
      async ({ body, params, request, set }) => {
        const { chain } = params
        const operator = await operatorOf(context, request)
        const endpoint = (await listEndpoints(context, chain)).find(({ id }) => id === body.id)
        if (!endpoint) throw new Refusal('not_found')
        const trial = await retryEndpoint(operator.context, chain, body.id)
        return show(request, set, chain, { trial: trialModel(hostIn(endpoint.url), trial, true) })
      },
      { ...requirePerson(context, 'operator'), params: Params, body: RowForm },
    )
    .post(
      `${PATH}/raise`,
      async ({ body, params, redirect, request }) => {
        const operator = await operatorOf(context, request)
        await raiseEndpoint(operator.context, params.chain, body.id)
        return redirect(`/dashboard/endpoints/${params.chain}?saved=moved`, 303)
      },
      { ...proven, params: Params, body: RowForm },
    )
    .post(
      `${PATH}/remove`,
      async ({ body, params, redirect, request }) => {
        const operator = await operatorOf(context, request)
        await removeEndpoint(operator.context, params.chain, body.id)
        return redirect(`/dashboard/endpoints/${params.chain}?saved=removed`, 303)
      },
      { ...proven, params: Params, body: RowForm },
    )
}
