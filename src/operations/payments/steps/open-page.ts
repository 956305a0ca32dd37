import { currencyDecimals } from '../../../domain/currency.ts'
import { assert } from '../../../domain/errors.ts'
import { fiatAssetId } from '../../../domain/fiat.ts'
import { minorOf } from '../../../domain/money.ts'
import type { OpenedPage, Opening } from '../../../domain/opening.ts'
import type { Order } from '../../../domain/order.ts'
import type { OrderView } from '../../../domain/order-view.ts'
import { learnedShare, SHARES_KEPT_MS, SHARES_READ } from '../../../domain/page-share.ts'
import { shareOf } from '../../../domain/quote.ts'
import { TEST_PROVIDER } from '../../../domain/test-shop.ts'
import { type Provider, ProviderError } from '../../../providers/port.ts'
import type { PageTerms } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { getProviderAccount } from '../../merchants/provider-account.ts'
import type { MethodOffer } from '../list-offers.ts'

/** Opens a payment page according to the capability of its method. Throws ProviderError. */
export const openPage = (
  context: Pick<Context, 'storage' | 'policy' | 'clock' | 'secrets'>,
  checkout: Pick<OrderView, 'order' | 'merchant'>,
  opening: Opening,
  { provider, method }: MethodOffer,
): Promise<OpenedPage> =>
  method.capability === 'charge'
    ? openCharge(context, checkout, opening, provider)
    : openForwardingPage(context, checkout.order, opening, provider)

/**
 * Opens a charge, which settles in the currency of the order, at exactly the amount for which it was opened.
 */
async function openCharge(
  context: Pick<Context, 'storage' | 'policy' | 'secrets'>,
  { order, merchant }: Pick<OrderView, 'order' | 'merchant'>,
  opening: Opening,
  provider: Provider,
): Promise<OpenedPage> {
  const account = await getProviderAccount(context, order.merchantId, provider.id)
  const credentials = account?.credentials ?? null
  if (!provider.charge || (credentials === null && provider.id !== TEST_PROVIDER))
    throw new ProviderError('refused', 'the merchant has no account')
  const {
    url,
    reference,
    account: paidAccount,
  } = await provider.charge.open({
    attemptId: opening.id,
    methodKey: opening.methodKey,
    amount: opening.priced,
    currency: order.currency,
    email: order.customerEmail,
    credentials,
    callbackUrl: opening.callbackUrl,
    title: `${merchant.name} ${order.externalId ?? order.id}`,
    language: opening.language,
    startedAt: opening.createdAt,
    expiresAt: order.expiresAt,
    returnUrl: `${context.policy.checkoutUrl}/pay/${order.id}/return`,
    cancelUrl: `${context.policy.checkoutUrl}/pay/${order.id}`,
  })
  const decimals = currencyDecimals(order.currency)
  assert(decimals !== undefined, 'an order has an accepted currency')
  const dueAtomic = minorOf(opening.priced, order.currency)
  return {
    redirectUrl: url,
    providerRef: reference,
    address: null,
    payoutAddress: paidAccount,
    feeSplit: false,
    assetId: fiatAssetId(order.currency),
    decimals,
    dueAtomic,
    thresholdAtomic: dueAtomic,
    floorAtomic: dueAtomic,
  }
}

async function openForwardingPage(
  context: Pick<Context, 'storage' | 'clock'>,
  order: Order,
  opening: Opening,
  provider: Provider,
): Promise<OpenedPage> {
  const { payoutAddress } = opening
  if (!provider.forwarding || payoutAddress === null) {
    throw new ProviderError('refused', 'the order has no payout wallet')
  }
  const { url, reference, ...opened } = await provider.forwarding.openPage({
    methodKey: opening.methodKey,
    amount: opening.priced,
    currency: order.currency,
    email: order.customerEmail,
    payoutAddress,
    feePercent: order.feePercent,
    callbackUrl: opening.callbackUrl,
  })
  const learned = await learnedThreshold(context, { ...opening, ...opened })
  const thresholdAtomic = learned > opened.thresholdAtomic ? learned : opened.thresholdAtomic
  return { ...opened, thresholdAtomic, redirectUrl: url, providerRef: reference, payoutAddress }
}

/** The least amount that can be expected to arrive, as earlier payments by the same method show. */
async function learnedThreshold(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  page: PageTerms,
): Promise<bigint> {
  const since = clock() - SHARES_KEPT_MS
  const shares = await storage.read(tables => tables.attempts.listPageShares(page, since, SHARES_READ))
  return shareOf(page.dueAtomic, learnedShare(shares) ?? 0n)
}
