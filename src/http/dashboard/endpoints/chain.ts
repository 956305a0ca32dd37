import { Type } from '@sinclair/typebox'
import { chainEndpointsBody, type TrialModel } from '../../../../views/dashboard/endpoints.ts'
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
import { oneOf, optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import type { PersonVisit } from '../visit.ts'
import { type WayBack, wayBackIn, wayBackUrl } from './way-back.ts'

const PATH = '/dashboard/endpoints/:chain'
const outcomes = ['added', 'removed', 'moved'] as const
const row = { id: text(36) }

const savedUrl = (chain: string, outcome: (typeof outcomes)[number]): string =>
  `/dashboard/endpoints/${chain}?saved=${outcome}`

interface ChainState {
  saved?: (typeof outcomes)[number] | undefined
  trial?: TrialModel | null
  refusal?: Refusal
  entered?: { text: string; headerName: string }
  back?: WayBack | null
}

/** The host of an entered URL, which is the only part of it that is shown. */
function hostIn(text: string): string {
  const url = text.trim().replace(/^[a-z]+[+]/, '')
  return URL.canParse(url) ? new URL(url).host : ''
}

const trialModel = (text: string, trial: EndpointTrial, isListed: boolean): TrialModel => ({
  host: hostIn(text),
  isListed,
  ...trial,
})

/** The endpoints of a chain, for its page. */
async function chainModel({ context, deps }: PersonVisit, id: string) {
  const { name, origin, used } = requireChain(context, id)
  const choices = deps.endpointChoices(id)
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

async function showChain(visit: PersonVisit, id: string, state: ChainState): Promise<View> {
  const model = await chainModel(visit, id)
  const { saved = null, trial = null, refusal, entered, back = null } = state
  const isPrivate = refusal?.code === 'destination_not_allowed'
  const wrong = refusal && !isPrivate ? refusedFields(refusal) : []
  return locale => {
    const { endpoints } = locale.texts
    const problem = isPrivate ? endpoints.faults.private : refusal && problemText(locale, refusal)
    return {
      title: endpoints.titleOf({ chain: model.name }),
      body: chainEndpointsBody(locale, {
        ...model,
        saved,
        back,
        trial,
        problem: trial === null && wrong.length === 0 ? (problem ?? null) : null,
        entered: { text: '', headerName: '', ...entered, wrong },
      }),
    }
  }
}

/** The page of a chain's endpoints. Endpoints belong to the server, so only operators choose them. */
export const chainEndpointRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'operator',
    query: { saved: Type.Optional(oneOf(outcomes)), back: optional(40) },
    show: visit =>
      showChain(visit, visit.params.chain, { saved: visit.query.saved, back: wayBackIn(visit.query) }),
  }),
  form({
    path: PATH,
    proof: 'operator',
    fields: { text: text(2100), headerName: optional(100), headerValue: optional(600), back: optional(40) },
    run({ context, params, body }) {
      const { text, headerName = '', headerValue = '' } = body
      return addEndpoint(context, { chain: params.chain, text, headerName, headerValue })
    },
    done(trial, visit) {
      const { chain } = visit.params
      const back = wayBackIn(visit.body)
      if (trial.problems.length > 0)
        return showChain(visit, chain, {
          saved: 'added',
          trial: trialModel(visit.body.text, trial, true),
          back,
        })
      return back ? wayBackUrl(back) : savedUrl(chain, 'added')
    },
    refused(refusal, visit) {
      const { text, headerName = '' } = visit.body
      const { reason } = refusal
      const trial = reason?.kind === 'unusable_endpoint' ? trialModel(text, reason.trial, false) : null
      const entered = { text, headerName }
      return showChain(visit, visit.params.chain, { refusal, trial, entered, back: wayBackIn(visit.body) })
    },
  }),
  form({
    path: `${PATH}/test`,
    access: 'operator',
    fields: row,
    async run({ context, params, body }) {
      const endpoint = (await listEndpoints(context, params.chain)).find(({ id }) => id === body.id)
      if (!endpoint) throw new Refusal('not_found')
      return trialModel(endpoint.url, await retryEndpoint(context, params.chain, body.id), true)
    },
    done: (trial, visit) => showChain(visit, visit.params.chain, { trial }),
  }),
  form({
    path: `${PATH}/raise`,
    proof: 'operator',
    fields: row,
    run: ({ context, params, body }) => raiseEndpoint(context, params.chain, body.id),
    done: (_, { params }) => savedUrl(params.chain, 'moved'),
  }),
  form({
    path: `${PATH}/remove`,
    proof: 'operator',
    fields: row,
    run: ({ context, params, body }) => removeEndpoint(context, params.chain, body.id),
    done: (_, { params }) => savedUrl(params.chain, 'removed'),
  }),
]
