import { invalid } from '../../domain/errors.ts'
import { type SetupStep, setupSteps } from '../../domain/setup.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

export interface StepState {
  step: SetupStep
  state: 'open' | 'done' | 'skipped'
}

/** The external ID of orders with which people try their shop. */
export const TRIED_ORDER = 'florin-setup'
const LOOKED_AT = 10

/**
 * The newest product and the newest payment link, if any. Orders with which people try the shop do not count.
 */
async function firstSale(tables: Tables, merchantId: string) {
  const [product = null] = await tables.products.list(merchantId, 1, null)
  const orders = await tables.orders.list({ merchantId }, LOOKED_AT, null)
  const sold = orders.find(({ order }) => order.externalId !== TRIED_ORDER)
  return { product, order: sold?.order ?? null }
}

/** True if a step is done. Reads the stored state, so that it does not matter how the step was done. */
async function isDone(tables: Tables, merchantId: string, step: SetupStep): Promise<boolean> {
  switch (step) {
    case 'shop': {
      const merchant = await tables.merchants.find(merchantId)
      const { currency = null, logo = null, supportEmail = null } = merchant ?? {}
      return currency !== null || logo !== null || supportEmail !== null
    }
    case 'payouts': {
      const wallet = await tables.wallets.find(merchantId)
      const sources = await tables.sources.listOf(merchantId)
      const hasAddress = Object.keys(wallet?.addresses ?? {}).length > 0
      return hasAddress || sources.some(({ active }) => active)
    }
    case 'webhook':
      return (await tables.webhooks.listOf(merchantId)).some(({ mode }) => mode !== 'test')
    case 'product': {
      const { product, order } = await firstSale(tables, merchantId)
      return product !== null || order !== null
    }
    case 'payment':
      return (await tables.orders.list({ merchantId, status: 'PAID' }, 1, null)).length > 0
  }
}

/** The steps before a shop can sell, with the state of each. */
export const readSetupSteps = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<StepState[]> =>
  storage.read(async tables => {
    const skipped = await tables.setup.listSkipped(merchantId)
    const steps: StepState[] = []
    for (const step of setupSteps) {
      const state = (await isDone(tables, merchantId, step)) ? 'done' : 'open'
      steps.push({ step, state: state === 'open' && skipped.includes(step) ? 'skipped' : state })
    }
    return steps
  })

/** The newest product and the newest payment link of a shop, if any. */
export const findFirstSale = ({ storage }: Pick<Context, 'storage'>, merchantId: string) =>
  storage.read(tables => firstSale(tables, merchantId))

/** The newest order with which people tried the shop. */
export const findTriedOrder = ({ storage }: Pick<Context, 'storage'>, merchantId: string) =>
  storage.read(async tables => {
    const [newest] = await tables.orders.list({ merchantId, externalId: TRIED_ORDER }, 1, null)
    return newest?.order ?? null
  })

export function requireStep(name: string): SetupStep {
  const step = setupSteps.find(one => one === name)
  if (step === undefined) throw invalid('step', `must be one of ${setupSteps.join(', ')}`)
  return step
}

/** Skips a setup step, or resumes it. */
export async function skipStep(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  name: string,
  isSkipped: boolean,
): Promise<void> {
  const step = requireStep(name)
  await storage.write(async tables => {
    if (isSkipped) await tables.setup.skip(merchantId, step, clock())
    else await tables.setup.resume(merchantId, step)
  })
}
