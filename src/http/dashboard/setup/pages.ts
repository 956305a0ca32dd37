import { guidePayoutsBody } from '../../../../views/dashboard/guide-payouts.ts'
import { requireStep, skipStep } from '../../../operations/overview/setup.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import { safeNext } from '../login-path.ts'
import { guideOf, stepUrl } from './guide.ts'
import { paymentRoutes } from './payment.ts'
import { productRoutes } from './product.ts'
import { shopRoutes } from './shop.ts'
import { webhookRoutes } from './webhook.ts'

const fields = { step: text(20), next: optional(100) }

/** The step that leads to the setup of wallets, which returns to this step. */
const payoutsStep: Route = page({
  path: stepUrl('payouts'),
  access: 'owner',
  query: { saved: optional() },
  async show(visit) {
    const guide = await guideOf(visit, 'payouts')
    const states = await readPayouts(visit.context, visit.merchant)
    const rows = states.map(({ network, payoutAddress, sources, coins }) => ({
      network,
      coins: coins.map(({ asset }) => asset.name),
      isSet: payoutAddress !== null || sources.length > 0,
      payable: coins.filter(({ lacks }) => lacks.length === 0).map(({ asset }) => asset.name),
    }))
    return locale => ({
      title: locale.texts.setup.payouts.title,
      body: guidePayoutsBody(locale, guide, { rows, isSaved: visit.query.saved !== undefined }),
    })
  },
})

/** The pages that lead a new shop to its first payment, one step after the other. */
export const setupRoutes: readonly Route[] = [
  ...shopRoutes,
  payoutsStep,
  ...webhookRoutes,
  ...productRoutes,
  ...paymentRoutes,
  form({
    path: '/dashboard/setup/skip',
    access: 'owner',
    fields,
    run: ({ context, merchant, body }) => skipStep(context, merchant.id, body.step, true),
    done: (_, { body }) => safeNext(body.next),
  }),
  form({
    path: '/dashboard/setup/resume',
    access: 'owner',
    fields,
    run: ({ context, merchant, body }) => skipStep(context, merchant.id, body.step, false),
    done: (_, { body }) => stepUrl(requireStep(body.step)),
  }),
]
