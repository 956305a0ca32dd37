import type { AttemptAtProvider } from '../../../domain/attempt.ts'
import type { Context } from '../../context.ts'

/** The attempt that a provider's payment was made for, by the provider's ID of the payment. */
export const attemptOfPayment = (
  { storage }: Pick<Context, 'storage'>,
  providerId: string,
  paymentId: string,
): Promise<AttemptAtProvider | null> =>
  storage.read(async ({ incomingPayments, attempts }) => {
    const [payment] = await incomingPayments.listByTx(providerId, paymentId, '0')
    const attempt = payment ? await attempts.find(payment.attemptId) : null
    return attempt?.provider === providerId ? attempt : null
  })
