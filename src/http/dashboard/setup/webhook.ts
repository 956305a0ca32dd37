import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { guideWebhookBody } from '../../../../views/dashboard/guide-webhook.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { changeWebhook, getWebhook } from '../../../operations/webhooks/change.ts'
import { testWebhook } from '../../../operations/webhooks/send-test.ts'
import { requirePerson, requireProof, type ShopVisit, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf } from '../problem.ts'
import { isOfField } from '../webhook.ts'
import { guideOf, stepUrl } from './guide.ts'

const PATH = stepUrl('webhook')
const UrlForm = Type.Object({ url: Type.String({ maxLength: 4000 }) })

type Tested = Parameters<typeof guideWebhookBody>[2]['tested']

interface Shown {
  /** what was entered */
  url?: string
  refusal?: Refusal | null
  secret?: string | null
  tested?: Tested
}

async function sendTest({ context, merchant }: ShopVisit): Promise<Tested> {
  const { outcome, httpStatus, durationMs, answer } = await testWebhook(context, merchant.id)
  return { outcome, httpStatus, durationMs, answer: answer ?? null }
}

/** The step that sets the webhook and sends a test event. */
export const webhookStep = (deps: DashboardDeps) => {
  const { context } = deps
  async function show(request: Request, set: Settable, shown: Shown): Promise<string> {
    const shop = await shopOf(context, request)
    const guide = await guideOf(shop, 'webhook')
    const webhook = await getWebhook(context, shop.merchant.id)
    const { url = '', refusal = null, secret = null, tested = null } = shown
    if (refusal) set.status = refusal.status
    const isWrong = refusal !== null && isOfField(refusal)
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.setup.webhook.title,
      body: guideWebhookBody(locale, guide, {
        url,
        current: webhook?.url ?? null,
        secret,
        tested,
        isWrong,
        problem: refusal && !isWrong ? problemText(locale, refusal) : null,
      }),
    }))
  }
  return new Elysia()
    .get(PATH, ({ request, set }) => show(request, set, {}), requirePerson(context, 'owner'))
    .post(
      PATH,
      async ({ body, request, set }) => {
        const shop = await shopOf(context, request)
        let secret: string | null = null
        const refusal = await refusalOf(async () => {
          const changed = await changeWebhook(shop.context, shop.merchant.id, body.url.trim())
          secret = changed.created ? changed.webhook.secret : null
        })
        if (refusal) return show(request, set, { url: body.url, refusal })
        return show(request, set, { secret, tested: await sendTest(shop) })
      },
      { ...requireProof(deps, 'owner'), body: UrlForm },
    )
    .post(
      `${PATH}/test`,
      async ({ request, set }) => {
        const shop = await shopOf(context, request)
        return show(request, set, { tested: await sendTest(shop) })
      },
      requirePerson(context, 'owner'),
    )
}
