import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type PoolModel, poolBody, poolCheckBody } from '../../../../views/dashboard/pool.ts'
import type { WalletNetwork } from '../../../domain/asset.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { LineFault } from '../../../domain/wallet-fault.ts'
import { fillPool, previewPool } from '../../../operations/addresses/fill-pool.ts'
import { readPool } from '../../../operations/addresses/read-pool.ts'
import { previewTakeOut, takeOutOfPool } from '../../../operations/addresses/take-out.ts'
import { reclaimPool } from '../../../operations/payments/reclaim-pool.ts'
import { requirePerson, requireProof, type ShopVisit, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { FormFields } from '../fields.ts'
import { FILE_MAX, uploadOf } from '../multipart.ts'
import { renderPage, type Settable } from '../page.ts'
import { refusalOf } from '../problem.ts'
import { Drafts } from './drafts.ts'
import { faultText } from './fault-text.ts'
import { LongWork } from './long-work.ts'
import { isSetup, NetworkParams, networkOf, ownerOf } from './network.ts'

const PATH = '/dashboard/payouts/:network/pool'

/** A list of 10,000 of the longest addresses, with notes. */
const TEXT_MAX = 1_000_000
const readList = uploadOf(TEXT_MAX)
const ListForm = Type.Object({
  fields: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: TEXT_MAX })),
  lists: Type.Any(),
  file: Type.Unsafe<Uint8Array | null>(Type.Any()),
})
const kinds = ['added', 'takenOut', 'reclaimed', 'reclaiming'] as const
const Query = Type.Object({
  done: Type.Optional(Type.Union(kinds.map(name => Type.Literal(name)))),
  count: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$' })),
  from: Type.Optional(Type.String({ maxLength: 10 })),
  lang: Type.Optional(Type.String()),
})

/** Each may have 10,000 addresses. */
const DRAFTS_MAX = 20
const LINES_SHOWN = 20

/** What was checked, and waits for its confirmation. */
interface ListDraft {
  network: WalletNetwork
  what: 'add' | 'takeOut'
  addresses: string[]
  known: number[]
  repeated: number[]
}

type Reason = NonNullable<NonNullable<PoolModel['problem']>['reason']>

/** A network whose wallets can have a list of addresses. */
function poolNetworkOf({ context }: DashboardDeps, params: { network: string }): WalletNetwork {
  const network = networkOf(params)
  if (!context.networks.acceptsSource(network, 'pool')) throw new Refusal('not_found')
  return network
}

/** The lines of a form. Those of the file follow those that were written. */
function linesOf(text: string, file: Uint8Array | null): string[] {
  const all = [text, ...(file ? [new TextDecoder().decode(file)] : [])].join('\n')
  const lines = all.split(/\r\n?|\n/)
  return text === '' ? lines.slice(1) : lines
}

interface Shown {
  done?: PoolModel['done']
  reason?: Reason
  refusal?: Refusal
  isSetup: boolean
}

const wrongLines = ({ reason }: Refusal): readonly LineFault[] =>
  reason?.kind === 'wrong_lines' ? reason.lines : []

function reasonOf(refusal: Refusal): Reason | null {
  const lines = wrongLines(refusal)
  if (lines.length === 0) return refusal.message.includes('at most') ? 'tooMany' : 'nothing'
  return lines.some(({ fault }) => fault.kind === 'exposed') ? 'privateKey' : null
}

const pagesOf = (deps: DashboardDeps) => ({
  async show(request: Request, set: Settable, network: WalletNetwork, shown: Shown): Promise<string> {
    const shop = await shopOf(deps.context, request)
    const state = await readPool(shop.context, shop.merchant.id, network)
    const { refusal, reason } = shown
    if (refusal || reason) set.status = refusal?.status ?? 400
    const wrong = refusal ? wrongLines(refusal) : []
    return renderPage(deps, request, set, locale => {
      const { pool, payouts } = locale.texts
      const lines = wrong
        .slice(0, LINES_SHOWN)
        .map(({ line, fault }) => ({ line, text: faultText(locale, fault) }))
      const why = reason ?? (refusal ? reasonOf(refusal) : null)
      return {
        title: pool.title({ network: payouts.networks[network] }),
        body: poolBody(locale, {
          ...state,
          network,
          done: shown.done ?? null,
          problem: refusal || reason ? { reason: why, lines, count: wrong.length } : null,
          isSetup: shown.isSetup,
        }),
      }
    })
  },
  check(
    request: Request,
    set: Settable,
    draft: string,
    list: ListDraft,
    state: { isUnchecked: boolean; isSetup: boolean },
  ): Promise<string> {
    if (state.isUnchecked) set.status = 400
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.pool.title({ network: locale.texts.payouts.networks[list.network] }),
      body: poolCheckBody(locale, { ...list, draft, ...state }),
    }))
  },
})

async function planOf(
  { context, merchant }: ShopVisit,
  network: WalletNetwork,
  what: ListDraft['what'],
  lines: string[],
): Promise<ListDraft> {
  if (what === 'takeOut') {
    const addresses = await previewTakeOut(context, merchant.id, network, lines)
    return { network, what, addresses, known: [], repeated: [] }
  }
  const { fresh, known, repeated } = await previewPool(context, merchant.id, network, lines)
  return { network, what, addresses: fresh.map(({ address }) => address), known, repeated }
}

/** Adds and takes out what was checked. Returns how many addresses. */
async function save({ context, merchant }: ShopVisit, { network, what, addresses }: ListDraft) {
  if (what === 'add') return (await fillPool(context, merchant.id, network, addresses)).added
  return (await takeOutOfPool(context, merchant.id, network, addresses)).takenOut
}

const doneUrl = (network: string, what: (typeof kinds)[number], count: number): string =>
  `/dashboard/payouts/${network}/pool?done=${what}&count=${count}`

/** The list of addresses of a network: how many are left, and adding or taking out many at once. */
export const poolPages = (deps: DashboardDeps) => {
  const { context } = deps
  const pages = pagesOf(deps)
  const drafts = new Drafts<ListDraft>(context, DRAFTS_MAX)
  return new Elysia()
    .get(
      PATH,
      ({ params, query, request, set }) => {
        const done = query.done ? { what: query.done, count: Number(query.count ?? 0) } : null
        return pages.show(request, set, poolNetworkOf(deps, params), { done, isSetup: isSetup(query) })
      },
      { ...requirePerson(context, 'owner'), params: NetworkParams, query: Query },
    )
    .post(
      `${PATH}/check`,
      async ({ body, params, request, set }) => {
        const shop = await shopOf(context, request)
        const network = poolNetworkOf(deps, params)
        const { fields, file } = body
        const from = { isSetup: isSetup(fields) }
        const what = fields.do === 'takeOut' ? 'takeOut' : 'add'
        if (file && file.length >= FILE_MAX)
          return pages.show(request, set, network, { reason: 'tooMany', ...from })
        if (what === 'takeOut' && (await readPool(context, shop.merchant.id, network)).free === 0)
          return pages.show(request, set, network, { reason: 'noList', ...from })
        const made: { list?: ListDraft } = {}
        const refusal = await refusalOf(async () => {
          made.list = await planOf(shop, network, what, linesOf((fields.text ?? '').trimEnd(), file))
        })
        if (refusal || !made.list)
          return pages.show(request, set, network, { ...(refusal && { refusal }), ...from })
        if (made.list.addresses.length === 0)
          return pages.show(request, set, network, { reason: 'nothingNew', ...from })
        const draft = drafts.keep(ownerOf(shop), made.list)
        return pages.check(request, set, draft, made.list, { isUnchecked: false, ...from })
      },
      { ...requirePerson(context, 'owner', readList), params: NetworkParams, body: ListForm },
    )
    .use(savePage(deps, drafts))
    .use(smallForms(deps))
}

const savePage = (deps: DashboardDeps, drafts: Drafts<ListDraft>) => {
  const pages = pagesOf(deps)
  return new Elysia().post(
    `${PATH}/save`,
    async ({ body, params, redirect, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const network = poolNetworkOf(deps, params)
      const from = { isSetup: isSetup(body) }
      const draft = body.draft ?? ''
      const list = drafts.find(ownerOf(shop), draft)
      if (list?.network !== network) return pages.show(request, set, network, { reason: 'expired', ...from })
      if (list.what === 'add' && body.compared !== 'yes')
        return pages.check(request, set, draft, list, { isUnchecked: true, ...from })
      let count = 0
      const refusal = await refusalOf(async () => {
        count = await save(shop, list)
      })
      if (refusal) return pages.show(request, set, network, { refusal, ...from })
      drafts.forget(draft)
      if (from.isSetup) return redirect('/dashboard/setup/payouts?saved', 303)
      return redirect(doneUrl(network, list.what === 'add' ? 'added' : 'takenOut', count), 303)
    },
    { ...requireProof(deps, 'owner'), params: NetworkParams, body: FormFields },
  )
}

/** How long a person waits for the chain. Many addresses can take minutes, or an endpoint may be slow. */
const RECLAIM_WAIT_MS = 10_000

/** The forms of the whole list. */
const smallForms = (deps: DashboardDeps) => {
  const reclaims = new LongWork<number>(RECLAIM_WAIT_MS)
  const proven = { ...requireProof(deps, 'owner'), params: NetworkParams, body: FormFields }
  return new Elysia()
    .post(
      `${PATH}/empty`,
      async ({ params, redirect, request }) => {
        const shop = await shopOf(deps.context, request)
        const network = poolNetworkOf(deps, params)
        const { takenOut } = await takeOutOfPool(shop.context, shop.merchant.id, network, 'unused')
        return redirect(doneUrl(network, 'takenOut', takenOut), 303)
      },
      proven,
    )
    .post(
      `${PATH}/reclaim`,
      async ({ params, redirect, request }) => {
        const shop = await shopOf(deps.context, request)
        const network = poolNetworkOf(deps, params)
        const { context, merchant } = shop
        const reclaimed = await reclaims.run(
          `${merchant.id} ${network}`,
          async () => (await reclaimPool(context, merchant.id, network)).reclaimed,
          context.stopping,
          error => context.log.error({ network, error: String(error) }, 'pool.reclaim.failed'),
        )
        const what = reclaimed === null ? 'reclaiming' : 'reclaimed'
        return redirect(doneUrl(network, what, reclaimed ?? 0), 303)
      },
      proven,
    )
}
