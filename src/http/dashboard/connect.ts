import { appsBody, codeBody, connectBody, handOverBody } from '../../../views/dashboard/connect.ts'
import { LABEL_MAX } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import { type AppRequest, checkApp, connectApp } from '../../operations/keys/connect.ts'
import { createPairingCode } from '../../operations/keys/pair.ts'
import { listKeys } from '../../operations/merchants/read.ts'
import { disconnectApp } from '../../operations/webhooks/disconnect.ts'
import { optional, text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/apps'
const CONNECT = '/dashboard/connect'

async function showApps({ context, merchant }: ShopVisit, isRevoked: boolean): Promise<View> {
  const keys = await listKeys(context, merchant.id)
  const apps = keys.filter(({ appOrigin, revokedAt }) => appOrigin !== null && revokedAt === null)
  const { greenfield, checkoutUrl } = context.policy
  const shown = { isOn: greenfield, url: checkoutUrl, shopId: merchant.id }
  return locale => ({
    title: locale.texts.apps.title,
    body: appsBody(locale, { ...shown, apps: apps.toReversed(), isRevoked }),
  })
}

const requestIn = (given: { name?: string; redirect?: string; permissions?: string }): AppRequest => ({
  name: given.name ?? '',
  redirect: given.redirect ?? '',
  permissions: (given.permissions ?? '').split(','),
})

/** Asks an owner if a website may use the shop. If the request cannot be granted, the page only says why. */
async function showConnect(visit: ShopVisit, asked: AppRequest): Promise<View> {
  const { context, merchant } = visit
  try {
    const app = await checkApp(context, asked)
    return locale => ({
      title: locale.texts.apps.connect({ name: app.name }),
      body: connectBody(locale, { ...app, shopName: merchant.name, asked, problem: null }),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return locale => ({
      title: locale.texts.apps.title,
      body: connectBody(locale, {
        name: '',
        origin: null,
        scopes: [],
        shopName: merchant.name,
        asked,
        problem: context.policy.greenfield ? locale.texts.apps.refused : locale.texts.apps.off,
      }),
    })
  }
}

/** The pages that connect shop systems with the owner's consent, and list them. */
export const connectRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { revoked: optional() },
    show: visit => showApps(visit, visit.query.revoked !== undefined),
  }),
  page({
    path: CONNECT,
    access: 'owner',
    query: {
      name: optional(1000),
      redirect: optional(4000),
      permissions: optional(4000),
    },
    show: visit =>
      visit.query.permissions ? showConnect(visit, requestIn(visit.query)) : showApps(visit, false),
  }),
  form({
    path: CONNECT,
    proof: 'owner',
    fields: { name: text(1000), redirect: text(4000), permissions: text(4000) },
    run: ({ body, context, merchant }) => connectApp(context, merchant.id, requestIn(body)),
    done({ text: apiKey, permissions }, { body, user }) {
      const { redirect } = body
      return locale => ({
        title: locale.texts.apps.connected,
        body: handOverBody(locale, { redirect, apiKey, userId: user.id, permissions }),
        ...(redirect !== '' && { formsTo: redirect }),
      })
    },
    refused: (_, visit) => showConnect(visit, requestIn(visit.body)),
  }),
  form({
    path: `${PATH}/pair`,
    proof: 'owner',
    fields: { label: text(LABEL_MAX) },
    run: ({ body, context, merchant }) => createPairingCode(context, merchant.id, body.label),
    done: made => locale => ({ title: locale.texts.apps.code, body: codeBody(locale, made) }),
    refused: (_, visit) => showApps(visit, false),
  }),
  form({
    path: `${PATH}/:key/revoke`,
    proof: 'owner',
    run: ({ context, merchant, params }) => disconnectApp(context, merchant.id, params.key),
    done: `${PATH}?revoked`,
  }),
]
