import { Refusal } from '../../domain/errors.ts'
import type { ProviderAccount } from '../../domain/merchant.ts'
import { ProviderError } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { openedAccount } from '../merchants/provider-account.ts'
import { recordReversals } from './record-reversals.ts'
import { attemptOfPayment } from './steps/attempt-of-payment.ts'

const DAY_MS = 24 * 3600_000
const RETRY_MS = 3600_000
/**
 * Refunds and disputes older than this are not read. Banks let buyers dispute a payment for about four
 * months.
 */
const WINDOW_MS = 130 * DAY_MS

type FindContext = Pick<
  Context,
  'storage' | 'clock' | 'ids' | 'log' | 'networks' | 'providers' | 'secrets' | 'invoiceFiles'
>

/**
 * Finds refunds and disputes at a provider whose callbacks were lost. Look-ups of payments do not find all of
 * them, because look-ups end a week after the order. Returns the time of the next search; null if no merchant
 * has an account.
 */
export async function findReversals(context: FindContext, providerId: string): Promise<number | null> {
  const stored = await context.storage.read(tables => tables.providerAccounts.list())
  const accounts = stored.filter(({ provider }) => provider === providerId)
  if (accounts.length === 0) return null
  let hasFailed = false
  // The accounts are read one after the other, because nobody waits for the result.
  for (const account of accounts) {
    try {
      await findIn(context, account)
    } catch (error) {
      if (error instanceof Refusal) throw error
      hasFailed = true
      logFailure(context, account, error)
    }
  }
  return context.clock() + (hasFailed ? RETRY_MS : DAY_MS)
}

/** Logs why an account was not searched. Only a bug can cause another error than a provider's. */
function logFailure({ log }: FindContext, { provider, merchantId }: ProviderAccount, failure: unknown): void {
  const error = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  if (failure instanceof ProviderError)
    log.warn({ provider, merchantId, reason: failure.message }, 'reversals.unread')
  else log.error({ provider, merchantId, error }, 'reversals.failed')
}

async function findIn(context: FindContext, account: ProviderAccount): Promise<void> {
  const { merchantId, provider } = account
  const { credentials } = openedAccount(context, account)
  const charge = context.providers.find(provider)?.charge
  if (credentials === null || !charge?.listReversals) return
  const found = await charge.listReversals(credentials, context.clock() - WINDOW_MS)
  for (const [paymentId, reversals] of Map.groupBy(found, reversal => reversal.paymentId)) {
    const attempt = await attemptOfPayment(context, provider, paymentId)
    if (attempt?.merchantId === merchantId) await recordReversals(context, attempt, reversals)
  }
}
