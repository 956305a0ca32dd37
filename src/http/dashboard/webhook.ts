import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type WebhookModel, webhookBody } from '../../../views/dashboard/webhook.ts'
import type { Refusal } from '../../domain/errors.ts'
import { eventTypes, type Webhook } from '../../domain/webhook.ts'
import { changeWebhook, chooseEvents, getWebhook, rotateSecret } from '../../operations/webhooks/change.ts'
import { testWebhook } from '../../operations/webhooks/send-test.ts'
import { requirePerson, requireProof, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { chosen, FormFields, overlapMs, overlaps } from './fields.ts'
import { fingerprintOf } from './fingerprint.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf } from './problem.ts'

const PATH = '/dashboard/webhook'
const UrlForm = Type.Object({ url: Type.String({ maxLength: 4000 }) })
const Query = Type.Object({
  saved: Type.Optional(Type.Union([Type.Literal('url'), Type.Literal('events')])),
  lang: Type.Optional(Type.String()),
})

interface Shown {
  /** what was entered */
  url?: string
  refusal?: { of: 'url' | 'events' | null; refusal: Refusal } | null
  saved?: WebhookModel['saved']
  secret?: string
  tested?: WebhookModel['tested']
}

function currentOf(webhook: Webhook | null, now: number): WebhookModel['current'] {
  if (!webhook) return null
  const { url, status, failingSince, failures, events, secret, previousSecretUntil } = webhook
  const isFailing = failingSince !== null
  return {
    url,
    state: status === 'disabled' ? 'disabled' : isFailing ? 'failing' : 'active',
    failingSince,
    failures,
    events,
    secretMark: fingerprintOf(secret),
    previousUntil: previousSecretUntil !== null && previousSecretUntil > now ? previousSecretUntil : null,
  }
}

/** A refusal that is about the value of a field; any other one is shown above the page. */
export const isOfField = ({ code }: Refusal): boolean =>
  code === 'validation_error' || code === 'destination_not_allowed'

export const webhookPages = (deps: DashboardDeps) => {
  const { context } = deps
  const isOwner = requirePerson(context, 'owner')

  async function show(request: Request, set: Settable, shown: Shown): Promise<string> {
    const { merchant } = await shopOf(context, request)
    const webhook = await getWebhook(context, merchant.id)
    const { url = webhook?.url ?? '', refusal: refused, saved = null, secret = null, tested = null } = shown
    const refusal = refused?.refusal
    if (refusal) set.status = refusal.status
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.webhook.title,
      body: webhookBody(locale, {
        url,
        current: currentOf(webhook, context.clock()),
        allEvents: eventTypes,
        overlaps,
        secret,
        saved,
        wrong: refusal && isOfField(refusal) ? refused.of : null,
        problem: refusal && !isOfField(refusal) ? problemText(locale, refusal) : null,
        tested,
      }),
    }))
  }

  const routes = new Elysia()
    .get(
      PATH,
      ({ query, request, set }) => show(request, set, { ...(query.saved && { saved: query.saved }) }),
      { ...isOwner, query: Query },
    )
    .post(
      PATH,
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        let secret: string | null = null
        const refusal = await refusalOf(async () => {
          const { webhook, created } = await changeWebhook(shop.context, shop.merchant.id, body.url.trim())
          secret = created ? webhook.secret : null
        })
        if (refusal) return show(request, set, { url: body.url, refusal: { of: 'url', refusal } })
        if (secret === null) return redirect(`${PATH}?saved=url`, 303)
        return show(request, set, { secret, saved: 'url' })
      },
      { ...requireProof(deps, 'owner'), body: UrlForm },
    )
    .post(
      `${PATH}/events`,
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const names = chosen(body, 'event')
        const refusal = await refusalOf(() => chooseEvents(shop.context, shop.merchant.id, names))
        if (refusal) return show(request, set, { refusal: { of: 'events', refusal } })
        return redirect(`${PATH}?saved=events`, 303)
      },
      { ...isOwner, body: FormFields },
    )
  return routes.use(secretRoutes(deps, show))
}

/** What shows a page of its own: the new secret, and how a test event went. */
const secretRoutes = (
  deps: DashboardDeps,
  show: (request: Request, set: Settable, shown: Shown) => Promise<string>,
) => {
  const { context } = deps
  const isOwner = requirePerson(context, 'owner')
  return new Elysia()
    .post(
      `${PATH}/rotate`,
      async ({ body, request, set }) => {
        const shop = await shopOf(context, request)
        let secret = ''
        const refusal = await refusalOf(async () => {
          const isSeen = (known: string) => body.seen === undefined || body.seen === fingerprintOf(known)
          secret = await rotateSecret(shop.context, shop.merchant.id, overlapMs(body.overlap), isSeen)
        })
        return show(request, set, refusal ? { refusal: { of: null, refusal } } : { secret })
      },
      { ...requireProof(deps, 'owner'), body: FormFields },
    )
    .post(
      `${PATH}/test`,
      async ({ request, set }) => {
        const shop = await shopOf(context, request)
        const { outcome, httpStatus, durationMs, answer } = await testWebhook(shop.context, shop.merchant.id)
        return show(request, set, { tested: { outcome, httpStatus, durationMs, answer: answer ?? null } })
      },
      isOwner,
    )
}
