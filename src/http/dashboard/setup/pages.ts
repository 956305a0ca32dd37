import { requireStep, skipStep } from '../../../operations/overview/setup.ts'
import { safeNext } from '../entered.ts'
import { optional, text } from '../fields.ts'
import { form, type Route } from '../kit.ts'
import { stepUrl } from './guide.ts'
import { paymentRoutes } from './payment.ts'
import { payoutsStep } from './payouts.ts'
import { productRoutes } from './product.ts'
import { shopRoutes } from './shop.ts'
import { webhookRoutes } from './webhook.ts'

const fields = { step: text(20), next: optional(100) }

/** Leads a new shop to its first payment, one step after the other. */
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
