import { fromUnits } from '../../domain/money.ts'
import { evmAddressPattern } from '../../domain/wallet.ts'
import type { Provisioned, ProvisionedAddress, ProvisionRequest } from '../port.ts'
import { type Ask, queryOf, refused, unavailable } from './api.ts'
import { isEvm, pathOf } from './coins.ts'
import { inDollars } from './convert-to-usd.ts'
import { type Decimal, readDecimal, roundUp } from './decimal.ts'
import { splitOf } from './fee-split.ts'
import type { Told, ToldObject } from './json.ts'
import { lockOf } from './methods.ts'

const PAYOUT_ASSET = 'polygon/usdc'
const PAYOUT_DECIMALS = 6
const CENTS = 2
/** A payout to the token's own contract would be lost. */
const USDC_ON_POLYGON = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'

/** The currencies that the payment page can charge in. */
const pageCurrencies = new Set(['USD', 'EUR', 'CAD', 'INR', 'GBP', 'SEK'])

interface Terms {
  checkoutUrl: string
  feeWallet: string | null
}

export async function provision(ask: Ask, terms: Terms, request: ProvisionRequest): Promise<Provisioned> {
  checkPayout(request.payoutAddress)
  const split = splitOf(request.feePercent, terms.feeWallet, request.payoutAddress)
  const currency = pageCurrencyOf(request)
  const dollars = readDecimal(await inDollars(ask, request.amount, request.currency))
  if (dollars === null) throw unavailable('The amount in US dollars is no decimal.')

  const wallet = await ask(
    split ? '/control/custom-affiliate.php' : '/control/wallet.php',
    { address: request.payoutAddress, callback: request.callbackUrl, ...split },
    'refusable',
  )
  const address = textOf(wallet, 'polygon_address_in')
  if (!evmAddressPattern.test(address)) throw unavailable('The gateway answered with a broken address.')
  const query = queryOf({
    address: decodedOf(wallet, 'address_in'),
    amount: currency === request.currency ? request.amount : centsOf(dollars),
    provider: request.methodKey,
    email: request.email,
    currency,
  })
  return {
    url: `${terms.checkoutUrl}/process-payment.php?${query}`,
    ref: decodedOf(wallet, 'ipn_token'),
    address,
    feeSplit: split !== null,
    assetId: PAYOUT_ASSET,
    decimals: PAYOUT_DECIMALS,
    dueAtomic: roundUp(dollars, PAYOUT_DECIMALS),
  }
}

/** The crypto endpoints keep their fee in another way, so that none is split off here. */
export async function openAddress(
  ask: Ask,
  assetId: string,
  { payoutAddress, callbackUrl }: ProvisionRequest,
): Promise<ProvisionedAddress> {
  const path = pathOf(assetId)
  if (path === undefined) throw refused('The gateway has no addresses for this asset.')
  if (isEvm(assetId)) checkPayout(payoutAddress)
  const query = { address: payoutAddress, callback: callbackUrl }
  const wallet = await ask(`/crypto/${path}/wallet.php`, query, 'refusable')
  return {
    address: decodedOf(wallet, 'address_in'),
    ref: decodedOf(wallet, 'ipn_token'),
    feeSplit: false,
  }
}

function checkPayout(address: string): void {
  if (!evmAddressPattern.test(address)) throw refused('The payout wallet is no EVM address.')
  if (address.toLowerCase() === USDC_ON_POLYGON) throw refused('The payout wallet is a token contract.')
}

function pageCurrencyOf({ currency, methodKey }: ProvisionRequest): string {
  const lock = lockOf(methodKey)
  const takes = (code: string): boolean => lock === null || lock.includes(code)
  if (pageCurrencies.has(currency) && takes(currency)) return currency
  if (!takes('USD'))
    throw refused('The payment method takes neither the currency of the order nor US dollars.')
  return 'USD'
}

const centsOf = (dollars: Decimal): string => fromUnits(roundUp(dollars, CENTS), CENTS)

function textOf(wallet: ToldObject, member: string): string {
  const told: Told | undefined = wallet[member]
  if (typeof told !== 'string' || told === '') throw unavailable(`The gateway answered without ${member}.`)
  return told
}

/** Some members come encoded for the next URL: decoded once here and encoded once on use, they stay whole. */
function decodedOf(wallet: ToldObject, member: string): string {
  const told = textOf(wallet, member)
  try {
    return decodeURIComponent(told)
  } catch {
    throw unavailable(`The gateway answered with a broken ${member}.`)
  }
}
