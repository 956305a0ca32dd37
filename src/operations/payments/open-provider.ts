import type { AttemptAtProvider } from '../../domain/attempt.ts'
import { assert, mustWin, Refusal } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import { nextChoiceAt, type OpenedPage, type Opening, openedAttempt } from '../../domain/opening.ts'
import type { Order } from '../../domain/order.ts'
import { WATCH_MS } from '../../domain/quote.ts'
import { type SessionTrigger, sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import { ProviderError } from '../../providers/port.ts'
import type { ChosenMethod, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { openedAccount } from '../merchants/provider-account.ts'
import { scheduleMail } from '../notices/schedule-mail.ts'
import { recordPaymentEvent } from '../webhooks/steps/record-event.ts'
import type { CheckContext } from './check-attempts.ts'
import { type MethodOffer, type OfferContext, type Offers, offerMethods, restOf } from './list-offers.ts'
import { type Checkout, checkOpenable, loadCheckout } from './load-checkout.ts'
import { allowanceFor, termsOf } from './steps/allowance.ts'
import { closePage, openPagesOf } from './steps/close-page.ts'
import { scheduleOpening } from './steps/interrupted-opening.ts'
import { withLeastTaken } from './steps/least-taken.ts'
import { openPage } from './steps/open-page.ts'
import { recordProviderPayments } from './steps/record-provider-payments.ts'
import { chargeCallbackUrl, registerCallback } from './steps/register-callback.ts'
import { scheduleCheck } from './steps/schedule-check.ts'

type OpenContext = OfferContext & CheckContext & Pick<Context, 'ids'>

/**
 * Opens a provider's payment page for what is left of the order, and returns its URL, which is only ever sent
 * in a redirect. A second request for the same method returns the same page, unless the amount left to pay
 * has changed; after a failure it tries the same attempt again. Returns null if the buyer would pay for
 * nothing: nothing more is asked for, or the order was paid or closed while the provider answered.
 */
export async function provisionAttempt(
  context: OpenContext,
  orderId: string,
  methodKey: string,
  language = 'en',
): Promise<string | null> {
  const checkout = await closeOthers(context, await loadCheckout(context, orderId), methodKey)
  checkOpenable(checkout, context.clock())
  const rest = restOf(checkout.order, checkout.attempts)
  if (rest === null) return null
  const offers = await offerMethods(context, rest, checkout)
  const offer = findOffer(offers, methodKey)
  const allowance = await allowanceFor(context, checkout)
  const terms = termsOf(await withLeastTaken(context, checkout, allowance, offers))
  const started = await context.storage.write(tables =>
    startOpening(context, tables, { ...checkout, order: rest }, offer, { ...terms, language }),
  )
  if (typeof started === 'string') return started
  const redirectUrl = await openAttempt(context, checkout, started, offer)
  const { order } = await loadCheckout(context, orderId)
  return order.status === 'UNPAID' ? redirectUrl : null
}

/** Closes the other pages of charges, so that a buyer cannot pay twice, and records what they received. */
async function closeOthers(context: OpenContext, checkout: Checkout, methodKey: string): Promise<Checkout> {
  if (checkout.order.status !== 'UNPAID') return checkout
  const open = openPagesOf(context, checkout, methodKey)
  if (open.length === 0) return checkout
  for (const attempt of open) {
    const askedAt = context.clock()
    try {
      const payments = await closePage(context, attempt)
      await recordProviderPayments(context, attempt, payments, askedAt)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      const { provider, methodKey: key } = attempt
      context.log.warn({ provider, methodKey: key, reason: error.message }, 'provider.close.failed')
      throw unavailable()
    }
  }
  return loadCheckout(context, checkout.order.id)
}

const unavailable = () =>
  new Refusal(
    'provider_unavailable',
    'The payment provider cannot take this payment now. Choose another method.',
  )

async function openAttempt(
  context: OpenContext,
  checkout: Checkout,
  opening: Opening,
  offer: MethodOffer,
): Promise<string> {
  try {
    const page = await openPage(context, checkout, opening, offer)
    return await context.storage.write(tables => storePage(context, tables, opening, page))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { provider, methodKey } = opening
    context.log.warn({ provider, methodKey, reason: error.message }, 'provider.provision.failed')
    const redirectUrl = await context.storage.write(tables => failOpening(context, tables, opening))
    if (redirectUrl) return redirectUrl
    throw unavailable()
  }
}

function findOffer({ methods, providerAway }: Offers, methodKey: string): MethodOffer {
  const offer = methods.find(({ method }) => method.key === methodKey)
  if (offer) return offer
  if (providerAway) throw new Refusal('provider_unavailable')
  throw new Refusal('method_not_offered', 'This method is not offered for the order at the moment.')
}

async function moveSession(
  tables: Tables,
  orderId: string,
  trigger: SessionTrigger,
  now: number,
  chosen?: ChosenMethod,
): Promise<void> {
  const found = await tables.orders.find(orderId)
  const to = found && nextState(sessionTransitions, found.session.status, trigger)
  if (!to || found.order.status !== 'UNPAID') throw new Refusal('order_not_payable')
  mustWin(await tables.sessions.move(orderId, found.session.status, to, now, chosen))
}

/** The terms that are fixed when the order's first payment is opened, and the language of the page. */
type PageTerms = Pick<Opening, 'tolerance' | 'dust' | 'minedWithinMs' | 'language'>

/**
 * Stores the opening and its secret before the provider knows of it, because a callback may come at once.
 * Returns the URL of the page if it is open already. The amount of `order` is what is left of it.
 */
async function startOpening(
  context: Pick<Context, 'clock' | 'ids' | 'policy' | 'secrets'>,
  tables: Tables,
  { order }: Checkout,
  offer: MethodOffer,
  terms: PageTerms,
): Promise<Opening | string> {
  const now = context.clock()
  const started = await tables.attempts.listStarted(order.id)
  const asked = minorOf(order.amount, order.currency)
  const chosenAt = nextChoiceAt(started, now)
  // Two providers may have a method with one key. Payments of one are never reported for a page of the other.
  const isSame = ({ methodKey, provider }: AttemptAtProvider | Opening) =>
    methodKey === offer.method.key && provider === offer.provider.id
  const account = await accountAt(context, tables, order, offer)
  // A page at another account, for another amount, or of a payment that failed is not used again.
  const page = started.attempts
    .filter(attempt => attempt.kind === 'redirect')
    .filter(isSame)
    .findLast(
      ({ state, priced, payoutAddress }) =>
        state !== 'failed' &&
        state !== 'expired' &&
        minorOf(priced, order.currency) === asked &&
        (account === null || payoutAddress === account),
    )
  if (page) {
    await tables.attempts.update(page.id, { chosenAt, updatedAt: now })
    return page.redirectUrl
  }
  await moveSession(tables, order.id, 'provision', now)
  const known = started.openings.findLast(isSame)
  const again = { state: 'waiting' as const, priced: order.amount, chosenAt, updatedAt: now }
  const opening = { ...(known ?? openingFor(context, order, offer, { ...terms, createdAt: now })), ...again }
  if (known) await tables.attempts.updateOpening(opening.id, again)
  else await tables.attempts.insertOpening(opening)
  await scheduleOpening(tables, opening, now)
  return opening
}

/** The provider's ID of the account that the merchant has connected; null if the provider has no such IDs. */
async function accountAt(
  context: Pick<Context, 'secrets'>,
  tables: Tables,
  { merchantId }: Order,
  { provider: { id, charge } }: MethodOffer,
): Promise<string | null> {
  const stored = await tables.providerAccounts.find(merchantId, id)
  const credentials = stored && openedAccount(context, stored).credentials
  return credentials === null ? null : (charge?.accounts?.describe(credentials).id ?? null)
}

/** Stores the page and returns its URL. Of concurrent requests for one opening, the first page counts. */
async function storePage(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  opening: Opening,
  page: OpenedPage,
): Promise<string> {
  const now = context.clock()
  const stored = await tables.attempts.find(opening.id)
  if (stored?.kind === 'redirect') return stored.redirectUrl
  await checkReference(tables, opening, page.providerRef)
  const found = await tables.orders.find(opening.orderId)
  assert(found, 'the order of an opening exists')
  const attempt = openedAttempt(opening, page, { order: found.order, now })
  const { state, lockedUntil, graceUntil, graceLimit, updatedAt } = attempt
  const times = { lockedUntil, graceUntil, graceLimit, updatedAt }
  await tables.attempts.storePage(opening.id, { ...page, state, ...times })
  await scheduleCheck(tables, attempt, now)
  if (found.order.status !== 'UNPAID') return page.redirectUrl
  const chosen = { chosenMethod: attempt.methodKey, chosenAsset: page.assetId }
  await moveSession(tables, attempt.orderId, 'ready', now, chosen)
  if (page.feeSplit) {
    await tables.orders.update(attempt.orderId, { feeCollection: 'PROVIDER_SPLIT', updatedAt: now })
  }
  await recordPaymentEvent(context, tables, found.order, { type: 'payment.created', attempt })
  await scheduleMail(context, tables, found.order, { kind: 'link', attempt })
  return page.redirectUrl
}

/** Refuses the reference of another attempt: one payment would be reported for two orders. */
async function checkReference(tables: Tables, { provider }: Opening, reference: string): Promise<void> {
  if (await tables.attempts.findByReference(provider, reference))
    throw new ProviderError('refused', 'the reference belongs to another attempt')
}

/** Fails the opening, unless another request has opened its page: then its URL is returned. */
async function failOpening(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  { id, orderId }: Opening,
): Promise<string | null> {
  const now = clock()
  const stored = await tables.attempts.find(id)
  if (stored?.kind === 'redirect') return stored.redirectUrl
  await tables.attempts.updateOpening(id, { state: 'failed', updatedAt: now })
  await tables.jobs.remove('attempt.check', id)
  const found = await tables.orders.find(orderId)
  if (found?.order.status === 'UNPAID') await moveSession(tables, orderId, 'refuse', now)
  return null
}

function openingFor(
  context: Pick<Context, 'ids' | 'policy'>,
  order: Order,
  { provider, method }: MethodOffer,
  terms: PageTerms & Pick<Opening, 'createdAt'>,
): Opening {
  const id = context.ids.uuid()
  const forCapability =
    method.capability === 'charge'
      ? { callbackUrl: chargeCallbackUrl(context, provider.id), callbackSecret: null, payoutAddress: null }
      : { ...registerCallback(context, provider.id, id), payoutAddress: order.receivingWallet }
  return {
    id,
    merchantId: order.merchantId,
    orderId: order.id,
    kind: 'opening',
    provider: provider.id,
    methodKey: method.key,
    methodName: method.name,
    ...forCapability,
    priced: order.amount,
    lockedUntil: order.expiresAt,
    graceLimit: order.expiresAt,
    watchUntil: order.expiresAt + WATCH_MS,
    state: 'waiting',
    chosenAt: terms.createdAt,
    updatedAt: terms.createdAt,
    ...terms,
  }
}
