import { type FurtherModel, furtherWebhookBody, webhooksBody } from '../../../views/dashboard/webhooks.ts'
import type { Refusal } from '../../domain/errors.ts'
import { eventTypes, type Webhook, type WebhookMode, webhookModes } from '../../domain/webhook.ts'
import { chooseEvents, rotateSecret } from '../../operations/webhooks/change.ts'
import {
  addWebhook,
  editWebhook,
  getWebhookById,
  listDeliveries,
  listWebhooks,
  redeliverToFurther,
  removeWebhook,
} from '../../operations/webhooks/further.ts'
import { rowOf } from './deliveries.ts'
import { chosen, FormFields, optional, overlapMs, overlaps } from './fields.ts'
import { fingerprintOf } from './fingerprint.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText } from './problem.ts'
import type { ShopVisit } from './visit.ts'
import { isOfField, sendTest, stateOf } from './webhook.ts'

const PATH = '/dashboard/webhooks'
const LATEST = 20

const furtherOf = (webhook: Webhook, now: number): FurtherModel => {
  const {
    id,
    url,
    events,
    mode,
    failingSince,
    failures,
    secret,
    previousSecretUntil: until,
    format,
  } = webhook
  return {
    ...{ id, url, events, mode, failingSince, failures },
    state: stateOf(webhook),
    previousUntil: until !== null && until > now ? until : null,
    secretMark: fingerprintOf(secret),
    isOfPlugin: format === 'greenfield',
  }
}

/** The mode in a form. Forms of older pages have no mode, so they mean live webhooks. */
const modeIn = (text: string | undefined): WebhookMode => webhookModes.find(mode => mode === text) ?? 'live'

interface ListState {
  entered?: { url: string; events: string[]; mode: string }
  refusal?: Refusal
  secret?: string
  isRemoved?: boolean
}

async function showList({ context, merchant }: ShopVisit, state: ListState): Promise<View> {
  const {
    entered = { url: '', events: ['order.paid'], mode: 'live' },
    refusal,
    secret = null,
    isRemoved = false,
  } = state
  const now = context.clock()
  const further = (await listWebhooks(context, merchant.id)).filter(({ isFirst }) => !isFirst)
  const isWrong = refusal !== undefined && isOfField(refusal)
  return locale => ({
    title: locale.texts.webhooks.title,
    body: webhooksBody(locale, {
      webhooks: further.map(webhook => furtherOf(webhook, now)),
      allEvents: eventTypes,
      entered,
      wrong: isWrong ? (entered.events.length === 0 ? 'events' : 'url') : null,
      problem: refusal && !isWrong ? problemText(locale, refusal) : null,
      secret,
      isRemoved,
    }),
  })
}

interface OneState {
  refusal?: Refusal
  secret?: string
  isSaved?: boolean
  redelivered?: number
  tested?: Parameters<typeof furtherWebhookBody>[1]['tested']
}

async function showOne({ context, merchant }: ShopVisit, id: string, state: OneState): Promise<View> {
  const { refusal, secret = null, isSaved = false, redelivered = null, tested = null } = state
  const webhook = await getWebhookById(context, merchant.id, id)
  const deliveries = await listDeliveries(context, id, LATEST)
  const isWrong = refusal !== undefined && isOfField(refusal)
  return locale => ({
    title: locale.texts.webhooks.one,
    body: furtherWebhookBody(locale, {
      webhook: furtherOf(webhook, context.clock()),
      allEvents: eventTypes,
      overlaps,
      deliveries: deliveries.map(one => rowOf(one)),
      ...{ secret, isSaved, redelivered, tested, isWrong },
      problem: refusal && !isWrong ? problemText(locale, refusal) : null,
    }),
  })
}

/** The pages of the webhooks besides the first one. */
export const furtherWebhookRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { removed: optional() },
    show: visit => showList(visit, { isRemoved: visit.query.removed !== undefined }),
  }),
  form({
    path: PATH,
    proof: 'owner',
    fields: FormFields,
    run: ({ body, context, merchant }) =>
      addWebhook(context, merchant.id, {
        url: (body.url ?? '').trim(),
        events: chosen(body, 'event'),
        mode: modeIn(body.mode),
      }),
    done: ({ secret }, visit) => showList(visit, { secret }),
    refused: (refusal, visit) => {
      const { body } = visit
      const entered = { url: body.url ?? '', events: chosen(body, 'event'), mode: modeIn(body.mode) }
      return showList(visit, { entered, refusal })
    },
  }),
  page({
    path: `${PATH}/:webhook`,
    access: 'owner',
    query: { saved: optional() },
    show: visit => showOne(visit, visit.params.webhook, { isSaved: visit.query.saved !== undefined }),
  }),
  form({
    path: `${PATH}/:webhook/events`,
    access: 'owner',
    fields: FormFields,
    run: ({ body, context, merchant, params }) =>
      chooseEvents(context, merchant.id, chosen(body, 'event'), params.webhook),
    done: (_, { params }) => `${PATH}/${params.webhook}?saved`,
    refused: (refusal, visit) => showOne(visit, visit.params.webhook, { refusal }),
  }),
  form({
    path: `${PATH}/:webhook/mode`,
    proof: 'owner',
    fields: FormFields,
    run: ({ body, context, merchant, params }) =>
      editWebhook(context, merchant.id, params.webhook, { mode: modeIn(body.mode) }),
    done: (_, { params }) => `${PATH}/${params.webhook}?saved`,
    refused: (refusal, visit) => showOne(visit, visit.params.webhook, { refusal }),
  }),
  form({
    path: `${PATH}/:webhook/rotate`,
    proof: 'owner',
    fields: FormFields,
    run({ body, context, merchant, params }) {
      const isSeen = (known: string) => body.seen === undefined || body.seen === fingerprintOf(known)
      return rotateSecret(context, merchant.id, overlapMs(body.overlap), isSeen, params.webhook)
    },
    done: (secret, visit) => showOne(visit, visit.params.webhook, { secret }),
    refused: (refusal, visit) => showOne(visit, visit.params.webhook, { refusal }),
  }),
  form({
    path: `${PATH}/:webhook/test`,
    access: 'owner',
    run: visit => sendTest(visit, visit.params.webhook),
    done: (tested, visit) => showOne(visit, visit.params.webhook, { tested }),
  }),
  form({
    path: `${PATH}/:webhook/failed`,
    access: 'owner',
    run: ({ context, merchant, params }) => redeliverToFurther(context, merchant.id, params.webhook),
    done: (redelivered, visit) => showOne(visit, visit.params.webhook, { redelivered }),
    refused: (refusal, visit) => showOne(visit, visit.params.webhook, { refusal }),
  }),
  form({
    path: `${PATH}/:webhook/remove`,
    proof: 'owner',
    run: ({ context, merchant, params }) => removeWebhook(context, merchant.id, params.webhook),
    done: `${PATH}?removed`,
  }),
]
