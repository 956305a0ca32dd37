import { invalid } from '../../domain/errors.ts'
import { type SetupStep, setupSteps } from '../../domain/setup.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

type SetupState = 'open' | 'done' | 'skipped'

/** Whether each step is done is read from what is stored, so that it is right however it was done. */
async function isDone(tables: Tables, merchantId: string, step: SetupStep): Promise<boolean> {
  switch (step) {
    case 'shop': {
      const merchant = await tables.merchants.find(merchantId)
      return merchant !== null && (merchant.logo !== null || merchant.supportEmail !== null)
    }
    case 'payouts': {
      const wallet = await tables.wallets.find(merchantId)
      const sources = await tables.sources.listOf(merchantId)
      const hasAddress = Object.keys(wallet?.addresses ?? {}).length > 0
      return hasAddress || sources.some(({ active }) => active)
    }
    case 'webhook':
      return (await tables.webhooks.find(merchantId)) !== null
    case 'product':
      return (await tables.products.list(merchantId, 1, null)).length > 0
    case 'payment':
      return (await tables.orders.list({ merchantId, status: 'PAID' }, 1, null)).length > 0
  }
}

/** What is left to do before a shop can sell. */
export const readSetup = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<{ step: SetupStep; state: SetupState }[]> =>
  storage.read(async tables => {
    const skipped = await tables.setup.listSkipped(merchantId)
    const steps: { step: SetupStep; state: SetupState }[] = []
    for (const step of setupSteps) {
      const state = (await isDone(tables, merchantId, step)) ? 'done' : 'open'
      steps.push({ step, state: state === 'open' && skipped.includes(step) ? 'skipped' : state })
    }
    return steps
  })

/** Leaves a step out, or takes it up again. */
export async function skipStep(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  name: string,
  isSkipped: boolean,
): Promise<void> {
  const step = setupSteps.find(one => one === name)
  if (step === undefined) throw invalid('step', `must be one of ${setupSteps.join(', ')}`)
  await storage.write(async tables => {
    if (isSkipped) await tables.setup.skip(merchantId, step, clock())
    else await tables.setup.resume(merchantId, step)
  })
}
