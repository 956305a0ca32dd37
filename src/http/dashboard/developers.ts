import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { developersBody, type KeyForm, type KeyRow } from '../../../views/dashboard/developers.ts'
import { EXPIRY_DAYS_MAX, isExpired, type Key, type KeyMode, scopes } from '../../domain/api-key.ts'
import type { Refusal } from '../../domain/errors.ts'
import { getWallet } from '../../operations/addresses/wallet.ts'
import { createKey, revokeKey, rotateKey } from '../../operations/keys/manage.ts'
import { listKeys } from '../../operations/merchants/read.ts'
import { curlLine } from '../../present/curl-line.ts'
import { requirePerson, requireProof, type ShopVisit, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { chosen, FormFields, overlapMs, overlaps } from './fields.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const KeyParams = Type.Object({ id: Type.String({ maxLength: 36 }) })
const Query = Type.Object({ revoked: Type.Optional(Type.String()), lang: Type.Optional(Type.String()) })
const expiries = [30, 90, 365, EXPIRY_DAYS_MAX] as const

const emptyForm: KeyForm = { label: '', mode: 'live', scopes: [...scopes], expires: '' }

function stateOf(key: Key, now: number): KeyRow['state'] {
  if (key.revokedAt !== null) return 'revoked'
  if (isExpired(key, now)) return 'expired'
  return key.replacedBy === null ? 'active' : 'replaced'
}

const rowOf = (key: Key, now: number): KeyRow => ({
  id: key.id,
  label: key.label,
  mode: key.mode,
  prefix: `florin_${key.mode}_${key.id}`,
  scopes: key.scopes.length === scopes.length ? null : key.scopes,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  expiresAt: key.expiresAt,
  state: stateOf(key, now),
})

interface Shown {
  form?: KeyForm
  refusal?: Refusal
  isRevoked?: boolean
  created?: { text: string; formerUntil?: number | null }
}

async function keyRows({ context, merchant }: ShopVisit): Promise<KeyRow[]> {
  const now = context.clock()
  const rows = (await listKeys(context, merchant.id)).map(key => rowOf(key, now)).toReversed()
  const isOver = ({ state }: KeyRow) => state === 'revoked' || state === 'expired'
  return [...rows.filter(row => !isOver(row)), ...rows.filter(isOver)]
}

const formOf = (body: Record<string, string>): KeyForm => ({
  label: body.label ?? '',
  mode: body.mode ?? '',
  scopes: chosen(body, 'scope'),
  expires: body.expires ?? '',
})

type Show = (request: Request, set: Settable, shown: Shown) => Promise<string>

const shower =
  (deps: DashboardDeps): Show =>
  async (request, set, { form = emptyForm, refusal, isRevoked = false, created = null }) => {
    const { context } = deps
    const shop = await shopOf(context, request)
    const keys = await keyRows(shop)
    const { addresses } = await getWallet(context, shop.merchant.id)
    const method = addresses.evm ? '*' : 'crypto'
    if (refusal) set.status = refusal.status
    return renderPage(deps, request, set, locale => {
      const wrong = refusal ? refusedFields(refusal) : []
      const isOfForm = wrong.some(name => name in locale.texts.developers.wrong)
      return {
        title: locale.texts.developers.title,
        body: developersBody(locale, {
          keys,
          form,
          allScopes: scopes,
          expiries,
          overlaps,
          wrong,
          problem: refusal && !isOfForm ? problemText(locale, refusal) : null,
          isRevoked,
          created,
          command: curlLine(context.policy.checkoutUrl, '$FLORIN_KEY', method),
        }),
      }
    })
  }

/** API keys. A new one is shown in the answer to the form, and never again. */
export const developerPages = (deps: DashboardDeps) => {
  const { context } = deps
  const isOwner = requirePerson(context, 'owner')
  const show = shower(deps)
  return new Elysia()
    .get(
      '/dashboard/developers',
      ({ query, request, set }) => show(request, set, { isRevoked: query.revoked !== undefined }),
      { ...isOwner, query: Query },
    )
    .post(
      '/dashboard/developers/keys',
      async ({ body, request, set }) => {
        const shop = await shopOf(context, request)
        const form = formOf(body)
        const shown: Shown = {}
        const refusal = await refusalOf(async () => {
          const { text } = await createKey(shop.context, {
            merchantId: shop.merchant.id,
            mode: form.mode as KeyMode,
            scopes: [...form.scopes],
            label: form.label.trim() === '' ? undefined : form.label,
            expiresInDays: form.expires === '' ? undefined : Number(form.expires),
          })
          shown.created = { text }
        })
        return show(request, set, refusal ? { form, refusal } : shown)
      },
      { ...requireProof(deps, 'owner'), body: FormFields },
    )
    .post(
      '/dashboard/developers/keys/:id/revoke',
      async ({ params, redirect, request }) => {
        const shop = await shopOf(context, request)
        await revokeKey(shop.context, shop.merchant.id, params.id)
        return redirect('/dashboard/developers?revoked', 303)
      },
      { ...requireProof(deps, 'owner'), params: KeyParams, body: FormFields },
    )
    .use(rotatePage(deps, show))
}

const rotatePage = (deps: DashboardDeps, show: Show) =>
  new Elysia().post(
    '/dashboard/developers/keys/:id/rotate',
    async ({ body, params, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const shown: Shown = {}
      const refusal = await refusalOf(async () => {
        const overlap = overlapMs(body.overlap)
        const { text, former } = await rotateKey(shop.context, shop.merchant.id, params.id, overlap)
        shown.created = { text, formerUntil: overlap === 0 ? null : former.expiresAt }
      })
      return show(request, set, refusal ? { refusal } : shown)
    },
    { ...requireProof(deps, 'owner'), params: KeyParams, body: FormFields },
  )
