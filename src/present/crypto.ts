import type { BlindModel, CryptoPart, Part, ReceivedPayment } from '../../views/checkout/model.ts'
import { markClass } from '../../views/icons/icons.ts'
import type { Locale } from '../../views/locale.ts'
import type { AssetLook } from '../domain/asset.ts'
import {
  type AddressAttempt,
  type Attempt,
  isLocked,
  isOpen,
  isShared,
  type OwnAttempt,
  remainingAtomic,
} from '../domain/attempt.ts'
import { BLIND_MAX_MS } from '../domain/blind-chain.ts'
import { areBeside } from '../domain/lightning.ts'
import { fromUnitsShort } from '../domain/money.ts'
import { isCovered } from '../domain/overpaid.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { isInvoice } from '../domain/upstream.ts'
import { isWatched } from '../domain/watch.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { coinName, duration, price, tickerOf } from './amounts.ts'
import { isPayable, shownOf, uriOf } from './attempt.ts'
import { presentTransactionLink, type TransactionContext } from './explorer.ts'
import { qrSvg } from './qr.ts'

export interface CryptoContext extends TransactionContext {
  now: number
  /** time since which the chain of an attempt cannot be read; null while it can be read */
  blindSince(attempt: Attempt): number | null
  /** true if the address cannot be read, although its chain can */
  isAddressUnread(attempt: Attempt): boolean
  remainingUri(attempt: AddressAttempt, remaining: bigint): string
  /** the sandbox page that sends test coins to an attempt; null outside the sandbox */
  faucetUrl(attempt: AddressAttempt): string | null
  /** the buyer's choice of the QR code's content; null for the default of the coin */
  qr: 'uri' | 'address' | null
  /** path of the script that pays with a browser wallet */
  walletScript: string
}

/** The payments of an attempt in the coin that it asked for. */
const receivedBy = (checkout: Checkout, attempt: Attempt, context: CryptoContext): ReceivedPayment[] =>
  checkout.payments
    .filter(({ attemptId, assetId }) => attemptId === attempt.id && assetId === attempt.assetId)
    .map(payment => ({
      amount: `${fromUnitsShort(payment.amountAtomic, attempt.decimals)} ${tickerOf(payment.assetId)}`,
      at: formatTimestamp(payment.paidAt),
      transaction: presentTransactionLink(payment, context),
    }))

/** Usual time until the missing confirmations arrive: their share of the usual total time. */
function timeToConfirm(locale: Locale, attempt: Attempt, usual: AssetLook['usual']): string | null {
  const { confirmations, requiredConfirmations } = attempt
  if (usual === null || requiredConfirmations === null) return null
  const missing = requiredConfirmations - (confirmations ?? 0)
  if (missing <= 0) return null
  return duration(locale, Math.ceil((usual.seconds * missing) / requiredConfirmations))
}

/**
 * The payment for wallets in the browser (EIP-1193), which can pay an ERC-681 URI; null for other URIs, and
 * in the sandbox, whose addresses are on no chain.
 */
const browserWallet = (
  uri: string,
  look: AssetLook | null,
  { isSandbox, walletScript }: CryptoContext,
): CryptoPart['browserWallet'] =>
  isSandbox || !uri.startsWith('ethereum:')
    ? null
    : { uri, script: walletScript, transactionUrl: look?.transactionUrl ?? null }

/** The network or address that cannot be read, and when it was last read; null while it can be read. */
export function blindOf(attempt: Attempt, context: CryptoContext): BlindModel | null {
  const since = isOpen(attempt) || isWatched(attempt, context.now) ? context.blindSince(attempt) : null
  const asset = context.asset(attempt.assetId)
  if (since === null || !asset) return null
  const { network } = context.look(asset)
  return { network, at: formatTimestamp(since), isAddress: context.isAddressUnread(attempt) }
}

/**
 * The time that counts for the lock and grace of an attempt. It stops while the chain cannot be read, for at
 * most `BLIND_MAX_MS` in all.
 */
function countedTime(attempt: Attempt, { now, blindSince }: CryptoContext): number {
  const since = blindSince(attempt)
  return since === null ? now : Math.max(since, now - BLIND_MAX_MS + attempt.blindMs)
}

/** The parts that an open payment and a payment whose time has run out have in common. */
function sharedPart(locale: Locale, checkout: Checkout, attempt: Attempt, context: CryptoContext) {
  const asset = context.asset(attempt.assetId)
  return {
    assetId: attempt.assetId,
    assetName: coinName(locale, asset?.name ?? attempt.assetId),
    ticker: asset?.ticker ?? tickerOf(attempt.assetId),
    amount: fromUnitsShort(attempt.dueAtomic, attempt.decimals),
    received: attempt.receivedAtomic > 0n ? fromUnitsShort(attempt.receivedAtomic, attempt.decimals) : null,
    payments: receivedBy(checkout, attempt, context),
    blind: blindOf(attempt, context),
  }
}

/** The address and amount to pay: the whole amount, or the rest. */
function targetOf(
  attempt: AddressAttempt,
  remaining: bigint,
  look: AssetLook | null,
  context: CryptoContext & { beside: OwnAttempt | null },
) {
  const { beside } = context
  const { address } = attempt
  const isPartlyPaid = remaining > 0n && remaining < attempt.dueAtomic
  // If nothing remains, the page shows no way to pay.
  const uri = uriOf(attempt, remaining, context) ?? attempt.paymentUri
  // An invoice is written in upper case and with its scheme, because that makes the smallest QR code.
  if (isInvoice(attempt)) {
    const qr = { content: 'uri' as const, svg: () => qrSvg(uri.toUpperCase()) }
    return { address, uri, browserWallet: null, qr, remaining: null }
  }
  if (beside && context.qr !== 'address') return { ...bothOf(attempt, beside), isBoth: true }
  const content = context.qr ?? look?.qr ?? 'address'
  return {
    address,
    uri,
    browserWallet: browserWallet(uri, look, context),
    qr: { content, svg: () => qrSvg(content === 'uri' ? uri : address) },
    remaining: isPartlyPaid ? fromUnitsShort(remaining, attempt.decimals) : null,
  }
}

/**
 * One QR code for the address and the invoice. Upper case makes the code smaller, if the address allows it.
 */
function bothOf({ address, paymentUri }: AddressAttempt, { address: invoice }: OwnAttempt) {
  const uri = `${paymentUri}&lightning=${invoice}`
  const isBech32 = address.startsWith('bc1')
  const smaller = isBech32 ? paymentUri.replace(address, address.toUpperCase()) : paymentUri
  const svg = () => qrSvg(`${smaller}&lightning=${invoice.toUpperCase()}`)
  return { address, uri, browserWallet: null, qr: { content: 'uri' as const, svg }, remaining: null }
}

/**
 * The invoice that asks for the same amount as an address to which nothing was paid; null if there is none.
 */
function besideOf(
  { attempts }: Checkout,
  { assetId, dueAtomic, state }: AddressAttempt,
  remaining: bigint,
  context: CryptoContext,
): OwnAttempt | null {
  if (state !== 'waiting' || remaining !== dueAtomic) return null
  const found = attempts.findLast(
    (one): one is OwnAttempt =>
      one.provider === null &&
      isInvoice(one) &&
      areBeside(one.assetId, assetId) &&
      one.state === 'waiting' &&
      one.dueAtomic === dueAtomic &&
      isLocked(one, context.now),
  )
  return found && blindOf(found, context) === null ? found : null
}

/** A crypto payment that is open, or whose time has run out. */
export function presentCrypto(
  locale: Locale,
  checkout: Checkout,
  attempt: AddressAttempt,
  context: CryptoContext,
): Part {
  const shared = sharedPart(locale, checkout, attempt, context)
  const { order, attempts } = checkout
  const { asked } = shownOf(checkout)
  const time = countedTime(attempt, context)
  // If nothing more is asked for, the end of the lock does not matter to the buyer.
  const isShown = attempt.state === 'confirming' || asked === 0n || isPayable(attempt, time)
  if (!isShown) return { kind: 'lapsed', ...shared }
  const remaining = remainingAtomic(attempt, order, asked)
  const asset = context.asset(attempt.assetId)
  const look = asset ? context.look(asset) : null
  const beside = besideOf(checkout, attempt, remaining, context)
  return {
    kind: 'crypto',
    ...shared,
    isBoth: false,
    ...targetOf(attempt, remaining, look, { ...context, beside }),
    network: look?.network ?? '',
    isToken: look?.network !== look?.coin,
    mark: look?.coinMark ? markClass(look.coinMark) : null,
    lockedFrom: formatTimestamp(attempt.createdAt),
    lockedUntil: formatTimestamp(isLocked(attempt, time) ? attempt.lockedUntil : attempt.graceUntil),
    state: attempt.state === 'waiting' || attempt.state === 'confirming' ? attempt.state : 'underpaid',
    isAsked: asked > 0n,
    isCovered: isCovered(order, attempts),
    isTooSmall: asked > 0n && remaining < attempt.dustAtomic,
    confirmations: attempt.confirmations ?? 0,
    requiredConfirmations: attempt.requiredConfirmations,
    timeToConfirm:
      shared.blind || attempt.state !== 'confirming'
        ? null
        : timeToConfirm(locale, attempt, look?.usual ?? null),
    rate: `1 ${shared.ticker} = ${price(locale, attempt.rate, checkout.order.currency)}`,
    isShared: isShared(attempt),
    isInvoice: isInvoice(attempt),
    faucetUrl: context.faucetUrl(attempt),
  }
}
