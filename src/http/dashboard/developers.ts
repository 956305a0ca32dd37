import { developersBody, type KeyForm, type KeyRow } from '../../../views/dashboard/developers.ts'
import { EXPIRY_DAYS_MAX, isExpired, type Key, type KeyMode, scopes } from '../../domain/api-key.ts'
import type { Refusal } from '../../domain/errors.ts'
import { getWallet } from '../../operations/addresses/wallet.ts'
import { createKey, revokeKey, rotateKey } from '../../operations/keys/manage.ts'
import { listKeys } from '../../operations/merchants/read.ts'
import { curlLine } from '../../present/curl-line.ts'
import { chosen, FormFields, optional, overlapMs, overlaps } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/developers'
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

interface KeysState {
  /** values that were entered to create a key */
  entered?: KeyForm
  refusal?: Refusal
  isRevoked?: boolean
  created?: { text: string; formerUntil?: number | null }
}

async function showKeys(visit: ShopVisit, state: KeysState): Promise<View> {
  const { context, merchant } = visit
  const { entered = emptyForm, refusal, isRevoked = false, created = null } = state
  const keys = await keyRows(visit)
  const { addresses } = await getWallet(context, merchant.id)
  const method = addresses.evm ? '*' : 'crypto'
  const wrong = refusal ? refusedFields(refusal) : []
  return locale => {
    const { developers } = locale.texts
    const isOfForm = wrong.some(name => name in developers.wrong)
    return {
      title: developers.title,
      body: developersBody(locale, {
        keys,
        form: entered,
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
  }
}

/** The page of API keys. A new key is shown in the answer to the form, and never again. */
export const developerRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { revoked: optional() },
    show: visit => showKeys(visit, { isRevoked: visit.query.revoked !== undefined }),
  }),
  form({
    path: `${PATH}/keys`,
    proof: 'owner',
    fields: FormFields,
    run({ context, merchant, body }) {
      const entered = formOf(body)
      return createKey(context, {
        merchantId: merchant.id,
        mode: entered.mode as KeyMode,
        scopes: [...entered.scopes],
        label: entered.label.trim() === '' ? undefined : entered.label,
        expiresInDays: entered.expires === '' ? undefined : Number(entered.expires),
      })
    },
    done: ({ text }, visit) => showKeys(visit, { created: { text } }),
    refused: (refusal, visit) => showKeys(visit, { entered: formOf(visit.body), refusal }),
  }),
  form({
    path: `${PATH}/keys/:id/revoke`,
    proof: 'owner',
    fields: FormFields,
    run: ({ context, merchant, params }) => revokeKey(context, merchant.id, params.id),
    done: `${PATH}?revoked`,
  }),
  form({
    path: `${PATH}/keys/:id/rotate`,
    proof: 'owner',
    fields: FormFields,
    async run({ context, merchant, params, body }) {
      const overlap = overlapMs(body.overlap)
      const { text, former } = await rotateKey(context, merchant.id, params.id, overlap)
      return { text, formerUntil: overlap === 0 ? null : former.expiresAt }
    },
    done: (created, visit) => showKeys(visit, { created }),
    refused: (refusal, visit) => showKeys(visit, { refusal }),
  }),
]
