import { Elysia } from 'elysia'
import { asserted, invalid, Refusal } from '../../domain/errors.ts'
import { permissionsOf } from '../../domain/greenfield.ts'
import { CRYPTO } from '../../domain/payment-methods.ts'
import { greenfieldTypes, isForIpn, type Webhook } from '../../domain/webhook.ts'
import type { Context } from '../../operations/context.ts'
import { revokeKey } from '../../operations/keys/manage.ts'
import { knownMerchant, listKeys } from '../../operations/merchants/read.ts'
import { listMethods } from '../../operations/payments/list-methods.ts'
import {
  addWebhook,
  editWebhook,
  getWebhookById,
  listWebhooks,
  removeWebhook,
} from '../../operations/webhooks/further.ts'
import { contextOf } from '../auth.ts'
import { requireToken, requireTokenAndBody, storeOf, tokenOf } from './access.ts'
import { presentGreenfieldWebhook } from './present.ts'
import { WebhookBody } from './request.ts'

const STORE = '/api/v1/stores/:storeId'
const WEBHOOK = `${STORE}/webhooks/:webhookId`
const any = {}
const read = { scope: 'api:read' } as const
const listen = { live: true, scope: 'webhooks:write' } as const

/**
 * The version of BTCPay Server whose API this is. Plugins check it to decide which of their features to use.
 */
const VERSION = '2.0.0'

const presentStore = (id: string, name: string, currency: string | null) => ({
  id,
  name,
  website: null,
  defaultCurrency: currency ?? 'USD',
  speedPolicy: 'MediumSpeed',
})

async function showStore(context: Context, id: string) {
  const merchant = asserted(await knownMerchant(context, id), 'a key has a merchant')
  return presentStore(id, merchant.name, merchant.currency)
}

async function listStoreMethods(context: Context, merchantId: string) {
  const { crypto, providerMethods } = await listMethods(context, merchantId, false)
  const names = [...(crypto ? [CRYPTO] : []), ...providerMethods.map(({ key }) => key)]
  return names.map(name => {
    const paymentMethodId = name.toUpperCase()
    return { paymentMethodId, paymentMethod: paymentMethodId, enabled: true, config: null }
  })
}

interface GivenWebhook {
  url: string
  enabled?: boolean | null
  secret?: string | null
  authorizedEvents?: { everything?: boolean | null; specificEvents?: string[] | null } | null
}

/**
 * The input for a webhook. It gets those of the requested events that Florin has, and cannot be disabled by
 * hand.
 */
function webhookIn({ url, enabled, secret, authorizedEvents }: GivenWebhook) {
  if (enabled === false) throw invalid('/enabled', 'must be true. Delete the webhook instead')
  const { everything, specificEvents } = authorizedEvents ?? { everything: true }
  const isWanted = (type: string) => everything === true || (specificEvents ?? []).includes(type)
  return { url, events: greenfieldTypes.filter(isWanted), ...(secret && { secret }) }
}

const isOfApi = (webhook: Webhook): boolean => webhook.format === 'greenfield' && !isForIpn(webhook)

/**
 * A webhook in the format of BTCPay Server. Other webhooks are not found, since this API has no place for
 * them.
 */
async function requireWebhook(context: Context, merchantId: string, id: string) {
  const webhook = await getWebhookById(context, merchantId, id)
  if (isOfApi(webhook)) return webhook
  throw new Refusal('not_found', 'The webhook was not found')
}

const webhooks = (context: Context) =>
  new Elysia()
    .get(
      `${STORE}/webhooks`,
      async ({ params, request }) => {
        const { merchantId } = await storeOf(request, params)
        const found = await listWebhooks(context, merchantId)
        return found.filter(isOfApi).map(presentGreenfieldWebhook)
      },
      requireToken(context, listen),
    )
    .post(
      `${STORE}/webhooks`,
      async ({ body, params, request }) => {
        const { merchantId, keyId } = await storeOf(request, params)
        const own = await contextOf(context, request)
        const given = { ...webhookIn(body), keyId, format: 'greenfield' as const }
        const webhook = await addWebhook(own, merchantId, given)
        return { ...presentGreenfieldWebhook(webhook), secret: webhook.secret }
      },
      requireTokenAndBody(context, listen, WebhookBody),
    )
    .get(
      WEBHOOK,
      async ({ params, request }) => {
        const { merchantId } = await storeOf(request, params)
        return presentGreenfieldWebhook(await requireWebhook(context, merchantId, params.webhookId))
      },
      requireToken(context, listen),
    )
    .put(
      WEBHOOK,
      async ({ body, params, request }) => {
        const { merchantId } = await storeOf(request, params)
        await requireWebhook(context, merchantId, params.webhookId)
        const own = await contextOf(context, request)
        return presentGreenfieldWebhook(await editWebhook(own, merchantId, params.webhookId, webhookIn(body)))
      },
      requireTokenAndBody(context, listen, WebhookBody),
    )
    .delete(
      WEBHOOK,
      async ({ params, request }) => {
        const { merchantId } = await storeOf(request, params)
        await requireWebhook(context, merchantId, params.webhookId)
        await removeWebhook(await contextOf(context, request), merchantId, params.webhookId)
        return {}
      },
      { ...requireToken(context, listen), parse: () => null },
    )

/** The routes for the server, the key, the store and its webhooks. */
export const stores = (context: Context) =>
  new Elysia()
    .use(webhooks(context))
    .get('/api/v1/health', () => ({ synchronized: true }), { detail: { hide: true } })
    .get(
      '/api/v1/server/info',
      async ({ request }) => {
        const { merchantId } = await storeOf(request, {})
        const methods = await listStoreMethods(context, merchantId)
        const supportedPaymentMethods = methods.map(({ paymentMethodId }) => paymentMethodId)
        return { version: VERSION, onion: null, supportedPaymentMethods, fullySynched: true, syncStatus: [] }
      },
      requireToken(context, any),
    )
    .get(
      '/api/v1/api-keys/current',
      async ({ request }) => {
        const { keyId, merchantId, scopes } = await storeOf(request, {})
        const key = (await listKeys(context, merchantId)).find(({ id }) => id === keyId)
        const permissions = permissionsOf(scopes, merchantId)
        return { apiKey: tokenOf(request), label: key?.label ?? '', permissions }
      },
      requireToken(context, any),
    )
    .delete(
      '/api/v1/api-keys/current',
      async ({ request }) => {
        const { keyId, merchantId } = await storeOf(request, {})
        await revokeKey(await contextOf(context, request), merchantId, keyId)
        return {}
      },
      { ...requireToken(context, any), parse: () => null },
    )
    .get(
      '/api/v1/stores',
      async ({ request }) => [await showStore(context, (await storeOf(request, {})).merchantId)],
      requireToken(context, read),
    )
    .get(
      STORE,
      async ({ params, request }) => showStore(context, (await storeOf(request, params)).merchantId),
      requireToken(context, read),
    )
    .get(
      `${STORE}/payment-methods`,
      async ({ params, request }) => listStoreMethods(context, (await storeOf(request, params)).merchantId),
      requireToken(context, read),
    )
