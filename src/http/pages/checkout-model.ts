import type { Locale } from '../../../views/locale.ts'
import type { AddressAttempt, Attempt } from '../../domain/attempt.ts'
import { type AddressReason, addressReasons } from '../../domain/reason.ts'
import type { Context } from '../../operations/context.ts'
import { blindSince, isAddressUnread } from '../../operations/payments/failed-checks.ts'
import { offerMethods, restOf } from '../../operations/payments/list-offers.ts'
import type { Checkout } from '../../operations/payments/load-checkout.ts'
import { type CheckoutContext, fingerprintOf, presentCheckout, showsChoice } from '../../present/checkout.ts'
import type { AddressProblem } from '../../present/notices.ts'
import type { PageExtras } from '../extras.ts'
import { languageInUrl } from './language.ts'
import { lastChoiceOf } from './last-choice.ts'
import { unreachedIn } from './unreached.ts'

const pattern = new RegExp(`^([0-9a-f-]{36})\\.(${addressReasons.join('|')})$`)

/**
 * The value of the parameter `refused`, which explains why a refund address was refused. Never contains the
 * address.
 */
export const refusedParameter = (attemptId: string, reason: AddressReason): string => `${attemptId}.${reason}`

/** Parses the parameter `refused`; null for any other value. */
function refusedIn(parameter: unknown, isNew: boolean): AddressProblem | null {
  const [, attemptId, named] = typeof parameter === 'string' ? (pattern.exec(parameter) ?? []) : []
  const reason = addressReasons.find(one => one === named)
  return attemptId === undefined || reason === undefined ? null : { attemptId, reason, isNew }
}

const SECOND_MS = 1000
const LATER = 'later-'

/**
 * The value of the parameter `checked`, for a buyer who pressed "Check now". It is the time up to which
 * payments are known, or the time at which the check was left to a later scan.
 */
export const checkedParameter = (checkedAt: number | null, now: number): string =>
  `${checkedAt === null ? LATER : ''}${Math.floor((checkedAt ?? now) / SECOND_MS)}`

const leftIn = (parameter: string | undefined): number | null =>
  parameter?.startsWith(LATER) ? Number(parameter.slice(LATER.length)) * SECOND_MS : null

/** The parameters of a checkout page. */
interface Query {
  choose?: string | undefined
  qr?: 'uri' | 'address' | undefined
  /** result of the last "Check now"; see `checkedParameter` */
  checked?: string | undefined
  /** ID of the payment that the page showed first; ignored unless it is one of the order's payments */
  first?: unknown
  /** reason why an entered refund address was refused */
  refused?: unknown
  /** coin that was chosen but could not be reached */
  unreached?: unknown
  /** language in the URL */
  language: string | null
  /** method or coin that this browser last paid with */
  lastChoice: string | null
}

export const chosenBy = (request: Request) => ({
  lastChoice: lastChoiceOf(request),
  language: languageInUrl(request.url),
})

/** What the status of an order's payments is made of, besides the payments. */
export const statusContext = (context: Context, { merchant }: Pick<Checkout, 'merchant'>) => ({
  now: context.clock(),
  blindSince: (attempt: Attempt) => blindSince(context, attempt, context.clock()),
  remainingUri(attempt: AddressAttempt, remaining: bigint): string {
    const asset = context.networks.asset(attempt.assetId)
    return asset ? context.networks.uri(asset, attempt.address, remaining, merchant.name) : attempt.paymentUri
  },
})

/** Loads and presents a checkout page, and the parameters of its next poll. */
export async function modelOf(
  locale: Locale,
  context: Context,
  extras: PageExtras,
  checkout: Checkout,
  query: Query,
  answersForm = false,
) {
  const pageContext: CheckoutContext = {
    ...statusContext(context, checkout),
    isAddressUnread: attempt => isAddressUnread(context, attempt),
    asset: id => context.networks.asset(id),
    assetOf: chain => context.networks.assets.find(asset => asset.chain === chain),
    faucetUrl: extras.faucetUrl,
    look: extras.look,
    lastChoice: query.lastChoice,
    choose: query.choose === undefined ? null : Number(query.choose),
    qr: query.qr ?? null,
    unreached: unreachedIn(context, query.unreached),
    hasAsked: query.checked !== undefined,
    leftAt: leftIn(query.checked),
    isSandbox: extras.isSandbox,
    first: typeof query.first === 'string' ? query.first : null,
    walletScript: extras.files.wallet.path,
    refused: refusedIn(query.refused, answersForm),
    checkoutUrl: context.policy.checkoutUrl,
  }
  const offers = showsChoice(checkout, pageContext)
    ? await offerMethods(context, restOf(checkout.order, checkout.attempts) ?? checkout.order, checkout)
    : null
  const model = presentCheckout(locale, checkout, offers, pageContext)
  const refresh = {
    query: displayOf(query),
    language: query.language,
    fingerprint: fingerprintOf(model),
  }
  return { model, refresh }
}

const displayOf = ({ choose, qr, checked, refused, unreached }: Query): Record<string, string> => ({
  ...(choose !== undefined && { choose }),
  ...(qr && { qr }),
  ...(checked !== undefined && { checked }),
  ...(typeof refused === 'string' && { refused }),
  ...(typeof unreached === 'string' && { unreached }),
})
