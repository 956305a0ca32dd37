import { type Attempt, newAttempt } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { shareOf, WATCH_MS } from '../../domain/quote.ts'
import { type SessionTrigger, sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import { ProviderError, type Provisioned } from '../../providers/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { recordPaymentEvent } from '../webhooks/steps/record-event.ts'
import { type MethodOffer, offerMethods } from './list-offers.ts'
import { type Checkout, checkPayable, loadCheckout } from './load-checkout.ts'
import { registerCallback } from './steps/register-callback.ts'
import { scheduleCheck } from './steps/schedule-check.ts'

/**
 * Makes a provider's payment page ready and answers its URL, which is for a redirect and for nothing else.
 * Coming again for the same method leads to the same page; after a failure the same attempt is tried again.
 */
export async function provisionAttempt(
  context: Context,
  orderId: string,
  methodKey: string,
): Promise<string> {
  const checkout = await loadCheckout(context, orderId)
  checkPayable(checkout, context.clock())
  const offers = await offerMethods(context, checkout.order, checkout)
  const offer = offers.methods.find(({ method }) => method.key === methodKey)
  if (!offer) {
    if (offers.providerAway) throw new Refusal('provider_unavailable')
    throw new Refusal('method_not_offered', 'This method is not offered for the order at the moment.')
  }
  const attempt = await context.storage.write(tables => begin(context, tables, checkout, offer))
  if (attempt.redirectUrl) return attempt.redirectUrl
  try {
    const provisioned = await offer.provider.provision({
      attemptId: attempt.id,
      methodKey,
      amount: checkout.order.amount,
      currency: checkout.order.currency,
      email: checkout.order.customerEmail,
      payoutAddress: attempt.payoutAddress ?? '',
      feePercent: checkout.order.feePercent,
      callbackUrl: attempt.callbackUrl ?? '',
    })
    return await context.storage.write(tables => ready(context, tables, attempt, provisioned))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.log.warn(
      { provider: offer.provider.id, methodKey, fault: error.message },
      'a provider did not provision',
    )
    const standing = await context.storage.write(tables => refuse(context, tables, attempt))
    if (standing) return standing
    throw new Refusal(
      'provider_unavailable',
      'The payment provider does not take this payment now. Choose another method.',
    )
  }
}

async function moveSession(
  tables: Tables,
  orderId: string,
  trigger: SessionTrigger,
  now: number,
): Promise<void> {
  const found = await tables.orders.find(orderId)
  const to = found && nextState(sessionTransitions, found.session.status, trigger)
  if (!to || found.order.status !== 'UNPAID') throw new Refusal('order_not_payable')
  await tables.sessions.move(orderId, found.session.status, to, now)
}

/**
 * The attempt stands in the database, with its secret, before the provider hears of it: a callback may come
 * at once.
 */
async function begin(
  context: Context,
  tables: Tables,
  { order }: Checkout,
  offer: MethodOffer,
): Promise<Attempt> {
  const now = context.clock()
  const attempts = await tables.attempts.listOf(order.id)
  const standing = attempts.find(
    ({ kind, methodKey }) => kind === 'redirect' && methodKey === offer.method.key,
  )
  if (standing?.redirectUrl && standing.state !== 'failed') return standing
  await moveSession(tables, order.id, 'provision', now)
  if (standing && !standing.redirectUrl) {
    await tables.attempts.update(standing.id, { state: 'waiting', updatedAt: now })
    return standing
  }
  const attempt = attemptOf(context, order, offer, now)
  await tables.attempts.insert(attempt)
  return attempt
}

/** Of several requests for one attempt, the first answer counts: the page's URL, whoever made it ready. */
async function ready(
  context: Context,
  tables: Tables,
  attempt: Attempt,
  provisioned: Provisioned,
): Promise<string> {
  const now = context.clock()
  const standing = await tables.attempts.find(attempt.id)
  if (standing?.redirectUrl) return standing.redirectUrl
  const found = await tables.orders.find(attempt.orderId)
  const isUnpaid = found?.order.status === 'UNPAID'
  const change = {
    redirectUrl: provisioned.url,
    providerRef: provisioned.ref,
    address: provisioned.address,
    assetId: provisioned.assetId,
    decimals: provisioned.decimals,
    dueAtomic: provisioned.dueAtomic,
    thresholdAtomic: shareOf(provisioned.dueAtomic, context.policy.providerShare),
    feeSplit: provisioned.feeSplit,
    // Another request for it may have failed before this one was answered.
    ...(isUnpaid && { state: 'waiting' as const }),
    updatedAt: now,
  }
  await tables.attempts.update(attempt.id, change)
  await scheduleCheck(tables, { ...attempt, ...change }, now)
  if (!isUnpaid) return provisioned.url
  await moveSession(tables, attempt.orderId, 'ready', now)
  if (provisioned.feeSplit) {
    await tables.orders.update(attempt.orderId, { feeCollection: 'PROVIDER_SPLIT', updatedAt: now })
  }
  await recordPaymentEvent(context, tables, 'payment.created', found.order, { ...attempt, ...change })
  return provisioned.url
}

/** Fails the attempt, but for one that another request has made ready: its page is answered. */
async function refuse(context: Context, tables: Tables, attempt: Attempt): Promise<string | null> {
  const now = context.clock()
  const standing = await tables.attempts.find(attempt.id)
  if (standing?.redirectUrl) return standing.redirectUrl
  await tables.attempts.update(attempt.id, { state: 'failed', updatedAt: now })
  const found = await tables.orders.find(attempt.orderId)
  if (found?.order.status === 'UNPAID') await moveSession(tables, attempt.orderId, 'refuse', now)
  return null
}

function attemptOf(
  context: Context,
  order: Checkout['order'],
  { provider, method }: MethodOffer,
  now: number,
): Attempt {
  const id = context.ids.uuid()
  return newAttempt(order, {
    id,
    kind: 'redirect',
    provider: provider.id,
    methodKey: method.key,
    methodName: method.name,
    payoutAddress: order.receivingWallet,
    ...registerCallback(context, provider.id, id),
    lockedUntil: order.expiresAt,
    watchUntil: order.expiresAt + WATCH_MS,
    createdAt: now,
  })
}
