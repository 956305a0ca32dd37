import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { requireStep, skipStep } from '../../../operations/overview/setup.ts'
import { requirePerson, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { safeNext } from '../entered.ts'
import { stepUrl } from './guide.ts'
import { paymentStep } from './payment.ts'
import { payoutsStep } from './payouts.ts'
import { productStep } from './product.ts'
import { shopStep } from './shop.ts'
import { webhookStep } from './webhook.ts'

const StepForm = Type.Object({
  step: Type.String({ maxLength: 20 }),
  next: Type.Optional(Type.String({ maxLength: 100 })),
})

/** Leads a new shop to its first payment, one step after the other. */
export const setupPages = (deps: DashboardDeps) => {
  const { context } = deps
  const isOwner = requirePerson(context, 'owner')
  return new Elysia()
    .use(shopStep(deps))
    .use(payoutsStep(deps))
    .use(webhookStep(deps))
    .use(productStep(deps))
    .use(paymentStep(deps))
    .post(
      '/dashboard/setup/skip',
      async ({ body, redirect, request }) => {
        const { merchant } = await shopOf(context, request)
        await skipStep(context, merchant.id, body.step, true)
        return redirect(safeNext(body.next), 303)
      },
      { ...isOwner, body: StepForm },
    )
    .post(
      '/dashboard/setup/resume',
      async ({ body, redirect, request }) => {
        const { merchant } = await shopOf(context, request)
        await skipStep(context, merchant.id, body.step, false)
        return redirect(stepUrl(requireStep(body.step)), 303)
      },
      { ...isOwner, body: StepForm },
    )
}
