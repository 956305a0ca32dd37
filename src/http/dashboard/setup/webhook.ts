import { guideWebhookBody } from '../../../../views/dashboard/guide-webhook.ts'
import type { WebhookModel } from '../../../../views/dashboard/webhook.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { getWebhook } from '../../../operations/webhooks/change.ts'
import { countWaiting } from '../../../operations/webhooks/read-events.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText } from '../problem.ts'
import type { ShopVisit } from '../visit.ts'
import { isOfField, saveUrl, sendTest, urlFields } from '../webhook.ts'
import { guideOf, stepUrl } from './guide.ts'

const PATH = stepUrl('webhook')

interface WebhookStepState {
  /** the URL that was entered */
  url?: string
  refusal?: Refusal
  secret?: string | null
  tested?: WebhookModel['tested']
}

async function showStep(visit: ShopVisit, state: WebhookStepState): Promise<View> {
  const guide = await guideOf(visit, 'webhook')
  const webhook = await getWebhook(visit.context, visit.merchant.id)
  const waiting = webhook === null ? await countWaiting(visit.context, visit.merchant.id) : 0
  const { url = '', refusal, secret = null, tested = null } = state
  const isWrong = refusal !== undefined && isOfField(refusal)
  return locale => ({
    title: locale.texts.setup.webhook.title,
    body: guideWebhookBody(locale, guide, {
      url,
      waiting,
      current: webhook?.url ?? null,
      secret,
      tested,
      isWrong,
      problem: refusal && !isWrong ? problemText(locale, refusal) : null,
    }),
  })
}

/** The step that sets the webhook and sends a test event. */
export const webhookRoutes: readonly Route[] = [
  page({ path: PATH, access: 'owner', show: visit => showStep(visit, {}) }),
  form({
    path: PATH,
    proof: 'owner',
    fields: urlFields,
    run: visit => saveUrl(visit, visit.body),
    done: async (secret, visit) => showStep(visit, { secret, tested: await sendTest(visit) }),
    refused: (refusal, visit) => showStep(visit, { url: visit.body.url, refusal }),
  }),
  form({
    path: `${PATH}/test`,
    access: 'owner',
    run: visit => sendTest(visit),
    done: (tested, visit) => showStep(visit, { tested }),
  }),
]
