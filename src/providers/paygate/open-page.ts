import { type FeePercent, feeMillionths, isFree } from '../../domain/fee.ts'
import { fromUnits, fromUnitsShort } from '../../domain/money.ts'
import { shareOf } from '../../domain/quote.ts'
import type { ForwardingPage, PageRequest } from '../port.ts'
import { type CallApi, formatQuery, type Query, refused, unavailable } from './api.ts'
import { convertToUsd } from './convert-to-usd.ts'
import { type Decimal, parseDecimal, roundUp } from './decimal.ts'
import { minimumShareOf, pageTakes } from './methods.ts'
import { checkEvmPayout, decodedField, isEvmAddress, stringField } from './wallet-response.ts'

export const PAYOUT_ASSET = 'polygon/usdc'
const PAYOUT_DECIMALS = 6
const CENTS = 2

/** Currencies that payment pages can charge in. */
const pageCurrencies = new Set(['USD', 'EUR', 'CAD', 'INR', 'GBP', 'SEK'])

interface PageTerms {
  checkoutUrl: string
  feeWallet: string | null
  /** least share of the amount due that settles, in millionths, because methods deduct their fees */
  minimumShare: bigint
}

/** Opens a payment page that pays out USDC on Polygon. */
export async function openPage(
  callApi: CallApi,
  terms: PageTerms,
  request: PageRequest,
): Promise<ForwardingPage> {
  checkEvmPayout(request.payoutAddress)
  const split = feeSplitQuery(request.feePercent, terms.feeWallet, request.payoutAddress)
  const currency = choosePageCurrency(request)
  const dollars = parseDecimal(await convertToUsd(callApi, request.amount, request.currency))
  if (dollars === null) throw unavailable('The amount in US dollars is malformed.')

  const wallet = await callApi(
    split ? '/control/custom-affiliate.php' : '/control/wallet.php',
    { address: request.payoutAddress, callback: request.callbackUrl, ...split },
    'refusable',
  )
  const address = stringField(wallet, 'polygon_address_in')
  if (!isEvmAddress(address)) throw unavailable('The gateway answered with a malformed address.')
  const query = formatQuery({
    address: decodedField(wallet, 'address_in'),
    amount: currency === request.currency ? request.amount : formatCents(dollars),
    provider: request.methodKey,
    email: request.email,
    currency,
  })
  const dueAtomic = roundUp(dollars, PAYOUT_DECIMALS)
  return {
    url: `${terms.checkoutUrl}/process-payment.php?${query}`,
    reference: decodedField(wallet, 'ipn_token'),
    address,
    feeSplit: split !== null,
    assetId: PAYOUT_ASSET,
    decimals: PAYOUT_DECIMALS,
    dueAtomic,
    thresholdAtomic: shareOf(dueAtomic, minimumShareOf(request.methodKey, terms.minimumShare)),
    floorAtomic: shareOf(dueAtomic, terms.minimumShare),
  }
}

/** The currency of a page: the order's own one if the page can charge in it, otherwise US dollars. */
function choosePageCurrency({ currency, methodKey }: PageRequest): string {
  if (pageCurrencies.has(currency) && pageTakes(methodKey, currency)) return currency
  if (!pageTakes(methodKey, 'USD'))
    throw refused('The payment method takes neither the currency of the order nor US dollars.')
  return 'USD'
}

const formatCents = (dollars: Decimal): string => fromUnits(roundUp(dollars, CENTS), CENTS)

/**
 * The millionths that the platform and the merchant share. The gateway keeps one percent, and the two shares
 * must add up to exactly the rest.
 */
const SHARED_MILLIONTHS = 990_000n
const DECIMALS = 6

/** The query that splits off the platform's fee; null if there is no fee, or no wallet for it. */
function feeSplitQuery(percent: FeePercent, feeWallet: string | null, payoutAddress: string): Query | null {
  if (isFree(percent) || feeWallet === null) return null
  if (feeWallet.toLowerCase() === payoutAddress.toLowerCase()) {
    throw refused('The fee wallet must differ from the payout wallet.')
  }
  const fee = feeMillionths(percent)
  if (fee > SHARED_MILLIONTHS) throw refused('The fee is larger than the gateway can split off.')
  return {
    affiliate: feeWallet,
    affiliate_fee: fromUnitsShort(fee, DECIMALS),
    merchant_fee: fromUnitsShort(SHARED_MILLIONTHS - fee, DECIMALS),
  }
}
