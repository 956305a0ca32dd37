import { Type } from '@sinclair/typebox'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { type PoolModel, poolBody, poolCheckBody } from '../../../../views/dashboard/pool.ts'
import type { WalletNetwork } from '../../../domain/asset.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { LineFault } from '../../../domain/wallet-fault.ts'
import { fillPool, previewPool } from '../../../operations/addresses/fill-pool.ts'
import { readPool } from '../../../operations/addresses/read-pool.ts'
import { previewTakeOut, takeOutOfPool } from '../../../operations/addresses/take-out.ts'
import { reclaimPool } from '../../../operations/payments/reclaim-pool.ts'
import type { DashboardDeps } from '../deps.ts'
import { FormFields, oneOf, optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import { FILE_MAX, uploadOf } from '../multipart.ts'
import type { View } from '../page.ts'
import { problemText } from '../problem.ts'
import type { ShopVisit } from '../visit.ts'
import { Drafts } from './drafts.ts'
import { faultText } from './fault-text.ts'
import { LongWork } from './long-work.ts'
import { isSetup, networkOf, ownerOf } from './network.ts'

const PATH = '/dashboard/payouts/:network/pool'

/** Max characters of a list: 10,000 of the longest addresses, with notes. */
const TEXT_MAX = 1_000_000
const ListForm = Type.Object({
  fields: Type.Record(text(100), text(TEXT_MAX)),
  lists: Type.Any(),
  file: Type.Unsafe<Uint8Array | null>(Type.Any()),
})
const outcomes = ['added', 'takenOut', 'reclaimed', 'reclaiming'] as const

/** Max drafts in memory, which may have 10,000 addresses each. */
const DRAFTS_MAX = 20
const LINES_MAX = 20

/** A list that was checked, and waits for its confirmation. */
interface ListDraft {
  network: WalletNetwork
  what: 'add' | 'takeOut'
  addresses: string[]
  known: number[]
  repeated: number[]
}

type ListReason = 'tooMany' | 'noList' | 'expired' | 'nothingNew'

/** The network in the path of a page. It must be one whose wallets can have a list of addresses. */
function poolNetworkOf({ context }: ShopVisit, params: { network: string }): WalletNetwork {
  const network = networkOf(params)
  if (!context.networks.acceptsSource(network, 'pool')) throw new Refusal('not_found')
  return network
}

/** The lines of a form. The lines of the file follow those that were typed. */
function linesOf(text: string, file: Uint8Array | null): string[] {
  const all = [text, ...(file ? [new TextDecoder().decode(file)] : [])].join('\n')
  const lines = all.split(/\r\n?|\n/)
  return text === '' ? lines.slice(1) : lines
}

const wrongLines = ({ reason }: Refusal): readonly LineFault[] =>
  reason?.kind === 'wrong_lines' ? reason.lines : []

/** The text of a refusal; null if it is about some lines. */
function refusalText(locale: DashboardLocale, refusal: Refusal): string | null {
  const lines = wrongLines(refusal)
  if (lines.length === 0) return problemText(locale, refusal)
  const isExposed = lines.some(({ fault }) => fault.kind === 'exposed')
  return isExposed ? locale.texts.payouts.problems.privateKey : null
}

interface PoolState {
  done?: PoolModel['done']
  reason?: ListReason
  refusal?: Refusal
  isSetup: boolean
}

async function showPool(visit: ShopVisit, network: WalletNetwork, state: PoolState): Promise<View> {
  const { context, merchant } = visit
  const pool = await readPool(context, merchant.id, network)
  const { done = null, reason, refusal, isSetup } = state
  const wrong = refusal ? wrongLines(refusal) : []
  return locale => {
    const { texts } = locale
    const lines = wrong
      .slice(0, LINES_MAX)
      .map(({ line, fault }) => ({ line, text: faultText(locale, fault) }))
    const text = reason ? texts.pool[reason] : refusal && refusalText(locale, refusal)
    const problem = text === undefined ? null : { text, lines, count: wrong.length }
    return {
      title: texts.pool.title({ network: texts.payouts.networks[network] }),
      body: poolBody(locale, { ...pool, network, done, problem, isSetup }),
      ...(reason && !refusal && { status: 400 }),
    }
  }
}

const checkView =
  (list: ListDraft, state: { draft: string; isUnchecked: boolean; isSetup: boolean }): View =>
  locale => ({
    title: locale.texts.pool.title({ network: locale.texts.payouts.networks[list.network] }),
    body: poolCheckBody(locale, { ...list, ...state }),
    ...(state.isUnchecked && { status: 400 }),
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

/** Adds or takes out the addresses that were checked. Returns the number of changed addresses. */
async function save({ context, merchant }: ShopVisit, { network, what, addresses }: ListDraft) {
  if (what === 'add') return (await fillPool(context, merchant.id, network, addresses)).added
  return (await takeOutOfPool(context, merchant.id, network, addresses)).takenOut
}

const doneUrl = (network: string, what: (typeof outcomes)[number], count: number): string =>
  `/dashboard/payouts/${network}/pool?done=${what}&count=${count}`

/**
 * The page of a network's list of addresses. It shows how many are left, and adds or takes out many at once.
 */
export function poolRoutes({ context }: DashboardDeps): readonly Route[] {
  const drafts = new Drafts<ListDraft>(context, DRAFTS_MAX)
  const overview = page({
    path: PATH,
    access: 'owner',
    query: {
      done: Type.Optional(oneOf(outcomes)),
      count: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$' })),
      from: optional(10),
    },
    show(visit) {
      const { done: what, count = '0' } = visit.query
      const done = what ? { what, count: Number(count) } : null
      return showPool(visit, poolNetworkOf(visit, visit.params), { done, isSetup: isSetup(visit.query) })
    },
  })
  const check = form({
    path: `${PATH}/check`,
    access: 'owner',
    read: uploadOf(TEXT_MAX),
    fields: ListForm,
    async run(visit): Promise<ListReason | ListDraft> {
      const network = poolNetworkOf(visit, visit.params)
      const { fields, file } = visit.body
      const what = fields.do === 'takeOut' ? 'takeOut' : 'add'
      if (file && file.length >= FILE_MAX) return 'tooMany'
      if (what === 'takeOut' && (await readPool(visit.context, visit.merchant.id, network)).free === 0)
        return 'noList'
      const list = await planOf(visit, network, what, linesOf((fields.text ?? '').trimEnd(), file))
      return list.addresses.length === 0 ? 'nothingNew' : list
    },
    done(list, visit) {
      const from = { isSetup: isSetup(visit.body.fields) }
      if (typeof list === 'string')
        return showPool(visit, poolNetworkOf(visit, visit.params), { reason: list, ...from })
      return checkView(list, { draft: drafts.keep(ownerOf(visit), list), isUnchecked: false, ...from })
    },
    refused: (refusal, visit) =>
      showPool(visit, poolNetworkOf(visit, visit.params), {
        refusal,
        isSetup: isSetup(visit.body.fields),
      }),
  })
  const saved = form({
    path: `${PATH}/save`,
    proof: 'owner',
    fields: FormFields,
    async run(visit) {
      const { draft = '', compared } = visit.body
      const found = drafts.find(ownerOf(visit), draft)
      const list = found?.network === poolNetworkOf(visit, visit.params) ? found : null
      if (!list || (list.what === 'add' && compared !== 'yes')) return { draft, list, count: null }
      const count = await save(visit, list)
      drafts.forget(draft)
      return { draft, list, count }
    },
    done({ draft, list, count }, visit) {
      const from = { isSetup: isSetup(visit.body) }
      const network = poolNetworkOf(visit, visit.params)
      if (!list) return showPool(visit, network, { reason: 'expired', ...from })
      if (count === null) return checkView(list, { draft, isUnchecked: true, ...from })
      if (from.isSetup) return '/dashboard/setup/payouts?saved'
      return doneUrl(network, list.what === 'add' ? 'added' : 'takenOut', count)
    },
    refused: (refusal, visit) =>
      showPool(visit, poolNetworkOf(visit, visit.params), { refusal, isSetup: isSetup(visit.body) }),
  })
  return [overview, check, saved, ...wholeListForms()]
}

/**
 * The time for which a person waits for the chain. Many addresses can take minutes, or an endpoint may be
 * slow.
 */
const RECLAIM_WAIT_MS = 10_000

/** The forms that change the whole list. */
function wholeListForms(): Route[] {
  const reclaims = new LongWork<number>(RECLAIM_WAIT_MS)
  return [
    form({
      path: `${PATH}/empty`,
      proof: 'owner',
      fields: FormFields,
      run: visit =>
        takeOutOfPool(visit.context, visit.merchant.id, poolNetworkOf(visit, visit.params), 'unused'),
      done: ({ takenOut }, { params }) => doneUrl(params.network, 'takenOut', takenOut),
    }),
    form({
      path: `${PATH}/reclaim`,
      proof: 'owner',
      fields: FormFields,
      run(visit) {
        const { context, merchant } = visit
        const network = poolNetworkOf(visit, visit.params)
        return reclaims.run(
          `${merchant.id} ${network}`,
          async () => (await reclaimPool(context, merchant.id, network)).reclaimed,
          context.stopping,
          error => context.log.error({ network, error: String(error) }, 'pool.reclaim.failed'),
        )
      },
      done: (reclaimed, { params }) =>
        doneUrl(params.network, reclaimed === null ? 'reclaiming' : 'reclaimed', reclaimed ?? 0),
    }),
  ]
}
