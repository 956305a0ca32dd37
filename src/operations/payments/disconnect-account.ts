import type { AttemptAtProvider } from '../../domain/attempt.ts'
import { ProviderError } from '../../providers/port.ts'
import type { AuditContext } from '../audit/record.ts'
import { removeAccount } from '../merchants/connect-account.ts'
import type { CheckContext } from './check-attempts.ts'
import { closePage } from './steps/close-page.ts'
import { recordProviderPayments } from './steps/record-provider-payments.ts'

/** Max pages that are closed at the same time, and in all. */
const PARALLEL = 8
const PAGES_MAX = 400

interface Disconnection {
  /** the number of pages that were closed */
  closed: number
  /** the orders whose pages could not be closed: buyers may still pay there, and nobody would notice */
  open: string[]
}

/** Closes the payment pages that buyers have open at a merchant's account, and forgets the account. */
export async function disconnectAccount(
  context: AuditContext & CheckContext,
  merchantId: string,
  providerId: string,
): Promise<Disconnection> {
  const { storage, clock } = context
  const waiting = await storage.read(tables => tables.attempts.listWaiting(merchantId, clock(), PAGES_MAX))
  const pages = waiting.filter(attempt => attempt.provider === providerId)
  const open: string[] = []
  for (let from = 0; from < pages.length; from += PARALLEL) {
    const group = pages.slice(from, from + PARALLEL)
    const areClosed = await Promise.all(group.map(page => isClosed(context, page)))
    open.push(...group.flatMap(({ orderId }, at) => (areClosed[at] ? [] : [orderId])))
    // If the provider is away or refuses the key, every other page would cost the same wait.
    if (!areClosed.includes(true)) {
      open.push(...pages.slice(from + PARALLEL).map(({ orderId }) => orderId))
      break
    }
  }
  await removeAccount(context, merchantId, providerId)
  return { closed: pages.length - open.length, open: [...new Set(open)] }
}

async function isClosed(context: CheckContext, page: AttemptAtProvider): Promise<boolean> {
  if (!context.providers.find(page.provider)?.charge?.close) return false
  const askedAt = context.clock()
  try {
    await recordProviderPayments(context, page, await closePage(context, page), askedAt)
    return true
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.log.warn({ provider: page.provider, reason: error.message }, 'provider.close.failed')
    return false
  }
}
