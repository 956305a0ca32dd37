import { type Attempt, type AttemptAtProvider, askedMinor, isOpen } from '../../../domain/attempt.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { type Provider, ProviderError, type ProviderPayment } from '../../../providers/port.ts'
import type { Context } from '../../context.ts'
import { toProviderAttempt } from '../../merchants/steps/provider-attempt.ts'

type LookUpContext = Pick<Context, 'storage' | 'clock' | 'providers' | 'secrets'>

/**
 * Looks up an attempt at its provider. If nobody has paid, closes the page of a charge that must not be paid
 * any more: its order has ended, which also ends the attempt, or it asks for more than is left to pay.
 */
export async function lookUpAttempt(
  context: LookUpContext,
  provider: Provider,
  attempt: AttemptAtProvider,
): Promise<ProviderPayment[]> {
  const target = await toProviderAttempt(context, attempt)
  const payments = await provider.lookup(target)
  if (payments.length > 0 || !provider.charge?.close) return payments
  return (await target.charge?.isWanted()) ? payments : provider.charge.close(target)
}

/** The pages that have to be closed before another one is opened: a buyer could pay on both. */
export const openPagesOf = (
  { providers }: Pick<Context, 'providers'>,
  { order, attempts }: { order: Order; attempts: readonly Attempt[] },
  methodKey: string,
): AttemptAtProvider[] => {
  const asked = askedMinor(order, attempts)
  return attempts
    .filter(attempt => attempt.provider !== null)
    .filter(attempt => isOpen(attempt) && providers.find(attempt.provider)?.charge?.close !== undefined)
    .filter(one => one.methodKey !== methodKey || minorOf(one.priced, order.currency) !== asked)
}

/** Closes a page, and returns what a look-up then says. Throws ProviderError if it may still be open. */
export async function closePage(
  context: LookUpContext,
  attempt: AttemptAtProvider,
): Promise<ProviderPayment[]> {
  const provider = context.providers.find(attempt.provider)
  if (!provider?.charge?.close) return []
  const payments = await provider.charge.close(await toProviderAttempt(context, attempt))
  if (payments.length > 0) return payments
  throw new ProviderError('unavailable', 'a page that was closed is still open')
}
