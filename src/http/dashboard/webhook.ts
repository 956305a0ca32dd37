import { Type } from '@sinclair/typebox'
import {
  type WebhookState as State,
  type WebhookModel,
  webhookBody,
} from '../../../views/dashboard/webhook.ts'
import type { Refusal } from '../../domain/errors.ts'
import { eventTypes, isEventType, type Webhook } from '../../domain/webhook.ts'
import { changeWebhook, chooseEvents, getWebhook, rotateSecret } from '../../operations/webhooks/change.ts'
import { countWaiting } from '../../operations/webhooks/read-events.ts'
import { testWebhook } from '../../operations/webhooks/send-test.ts'
import { chosen, FormFields, oneOf, optional, overlapMs, overlaps, text } from './fields.ts'
import { fingerprintOf } from './fingerprint.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/webhook'

export const stateOf = ({ status, failingSince }: Webhook): State =>
  status === 'disabled' ? 'disabled' : failingSince === null ? 'active' : 'failing'

function currentOf(webhook: Webhook | null, now: number): WebhookModel['current'] {
  if (!webhook) return null
  const { url, failingSince, failures, events, secret, previousSecretUntil } = webhook
  return {
    url,
    state: stateOf(webhook),
    failingSince,
    failures,
    events: events.filter(isEventType),
    secretMark: fingerprintOf(secret),
    previousUntil: previousSecretUntil !== null && previousSecretUntil > now ? previousSecretUntil : null,
  }
}

/** True if a refusal is about the value of a field. Any other refusal is shown above the page. */
export const isOfField = ({ code }: Refusal): boolean =>
  code === 'validation_error' || code === 'destination_not_allowed'

/** The fields of a form that sets the URL. Only the form for a new webhook asks about earlier events. */
export const urlFields = { url: text(4000), earlier: optional(3) }

/**
 * Sets the URL of the webhook. Returns the secret of a new webhook, which is shown once; null if the webhook
 * existed before.
 */
export async function saveUrl(
  { context, merchant }: ShopVisit,
  { url, earlier }: { url: string; earlier?: string },
): Promise<string | null> {
  const isFromNow = earlier !== 'yes'
  const { webhook, created } = await changeWebhook(context, merchant.id, url.trim(), { isFromNow })
  return created ? webhook.secret : null
}

export async function sendTest(
  { context, merchant }: ShopVisit,
  furtherId: string | null = null,
): Promise<WebhookModel['tested']> {
  const { outcome, httpStatus, durationMs, answer } = await testWebhook(context, merchant.id, furtherId)
  return { outcome, httpStatus, durationMs, answer: answer ?? null }
}

interface WebhookState {
  /** the URL that was entered */
  url?: string
  refusal?: Refusal
  /** the form that was refused, if it has a field */
  of?: 'url' | 'events'
  saved?: WebhookModel['saved'] | undefined
  secret?: string
  tested?: WebhookModel['tested']
}

async function showWebhook({ context, merchant }: ShopVisit, state: WebhookState): Promise<View> {
  const webhook = await getWebhook(context, merchant.id)
  const waiting = webhook === null ? await countWaiting(context, merchant.id) : 0
  const { url = webhook?.url ?? '', refusal, of = null, saved = null, secret = null, tested = null } = state
  return locale => ({
    title: locale.texts.webhook.title,
    body: webhookBody(locale, {
      url,
      waiting,
      current: currentOf(webhook, context.clock()),
      allEvents: eventTypes,
      overlaps,
      secret,
      saved,
      wrong: refusal && isOfField(refusal) ? of : null,
      problem: refusal && !isOfField(refusal) ? problemText(locale, refusal) : null,
      tested,
    }),
  })
}

/** The page of the webhook to which events are sent, and of the secret that signs them. */
export const webhookRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { saved: Type.Optional(oneOf(['url', 'events'])) },
    show: visit => showWebhook(visit, { saved: visit.query.saved }),
  }),
  form({
    path: PATH,
    proof: 'owner',
    fields: urlFields,
    run: visit => saveUrl(visit, visit.body),
    done: (secret, visit) =>
      secret === null ? `${PATH}?saved=url` : showWebhook(visit, { secret, saved: 'url' }),
    refused: (refusal, visit) => showWebhook(visit, { url: visit.body.url, refusal, of: 'url' }),
  }),
  form({
    path: `${PATH}/events`,
    access: 'owner',
    fields: FormFields,
    run: ({ context, merchant, body }) => chooseEvents(context, merchant.id, chosen(body, 'event')),
    done: `${PATH}?saved=events`,
    refused: (refusal, visit) => showWebhook(visit, { refusal, of: 'events' }),
  }),
  form({
    path: `${PATH}/rotate`,
    proof: 'owner',
    fields: FormFields,
    run({ context, merchant, body }) {
      const isSeen = (known: string) => body.seen === undefined || body.seen === fingerprintOf(known)
      return rotateSecret(context, merchant.id, overlapMs(body.overlap), isSeen)
    },
    done: (secret, visit) => showWebhook(visit, { secret }),
    refused: (refusal, visit) => showWebhook(visit, { refusal }),
  }),
  form({
    path: `${PATH}/test`,
    access: 'owner',
    run: visit => sendTest(visit),
    done: (tested, visit) => showWebhook(visit, { tested }),
  }),
]
