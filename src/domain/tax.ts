import { type Amount, amountOf, minorOf } from './money.ts'

/**
 * The categories of EN 16931 (UNCL 5305): standard rate, zero rate, exempt, reverse charge, supply to a
 * business of another EU country, export, and not subject to tax.
 */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const
export type TaxCategory = (typeof taxCategories)[number]

/** Tax classes of products. The class decides which of a country's rates a product has. */
export const taxClasses = ['standard', 'reduced', 'zero', 'exempt'] as const
export type TaxClass = (typeof taxClasses)[number]

/** A tax rate in basis points: 1900 is 19 %. */
export type TaxRate = number

export interface CountryRates {
  /** ISO 3166, two letters */
  country: string
  standard: TaxRate
  /**
   * null if the shop has no reduced rate for this country: its reduced products then have the standard rate
   */
  reduced: TaxRate | null
}

/** The tax settings of a shop. */
export interface ShopTax {
  /** country of the shop */
  country: string
  vatId: string | null
  /** `included` if prices of products and new orders contain the tax, `added` if it is added to them */
  prices: 'included' | 'added'
  /** reason why the shop charges no tax at all, as its invoices state it; null if it charges tax */
  exemption: string | null
  sells: 'goods' | 'services'
  /** true if businesses of other EU countries pay the tax themselves */
  reverseCharge: boolean
  /** rates of the shop's country, and of other countries whose rates it charges */
  rates: readonly CountryRates[]
}

/** The tax details that a buyer states before their order exists. */
export interface TaxPayer {
  /** null if unknown */
  country: string | null
  vatId: string | null
}

export const unknownPayer: TaxPayer = { country: null, vatId: null }

interface TaxRule {
  category: TaxCategory
  rate: TaxRate
}

/** The tax of a part of an order. There is one line for each category and rate. */
export interface TaxLine extends TaxRule {
  net: Amount
  tax: Amount
}

/** The tax of an order, as it was when the order was created. It never changes, and is part of the amount. */
export interface OrderTax extends TaxPayer {
  seller: Pick<ShopTax, 'country' | 'vatId'>
  /** reason why no tax is charged in category E, if the shop names one */
  exemption: string | null
  lines: readonly TaxLine[]
}

/** Member states of the EU, by ISO 3166. */
const UNION = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

export const isInUnion = (country: string): boolean => UNION.has(country)

function rateIn({ rates }: ShopTax, country: string, taxClass: TaxClass): TaxRate | null {
  const known = rates.find(one => one.country === country)
  if (known === undefined) return null
  return taxClass === 'reduced' ? (known.reduced ?? known.standard) : known.standard
}

/** The tax of a sale in the shop's own country. */
function homeRule(shop: ShopTax, taxClass: TaxClass): TaxRule {
  if (shop.exemption !== null || taxClass === 'exempt') return { category: 'E', rate: 0 }
  const rate = taxClass === 'zero' ? 0 : (rateIn(shop, shop.country, taxClass) ?? 0)
  return { category: rate === 0 ? 'Z' : 'S', rate }
}

/**
 * The tax of a sale to a buyer. For a country whose rates the shop does not charge, the shop's own rate
 * applies inside the EU, and no tax outside of it.
 */
function taxRule(shop: ShopTax, taxClass: TaxClass, { country, vatId }: TaxPayer): TaxRule {
  const home = homeRule(shop, taxClass)
  if (country === null || country === shop.country || home.category === 'E') return home
  const isUnion = isInUnion(country) && isInUnion(shop.country)
  if (isUnion && vatId !== null && shop.reverseCharge) {
    return { category: shop.sells === 'goods' ? 'K' : 'AE', rate: 0 }
  }
  const rate = taxClass === 'zero' ? null : rateIn(shop, country, taxClass)
  if (rate !== null) return { category: rate === 0 ? 'Z' : 'S', rate }
  if (isUnion) return home
  return { category: shop.sells === 'goods' ? 'G' : 'O', rate: 0 }
}

/** Divides and rounds half away from zero. */
function roundedDiv(a: bigint, b: bigint): bigint {
  const isNegative = a < 0n
  const half = (2n * (isNegative ? -a : a) + b) / (2n * b)
  return isNegative ? -half : half
}

const WHOLE = 10_000n

/** The net part of a gross sum, in minor units. */
const netOf = (gross: bigint, rate: TaxRate): bigint => roundedDiv(gross * WHOLE, WHOLE + BigInt(rate))

/** The tax that a gross sum in minor units contains. */
export const taxIn = (gross: bigint, rate: TaxRate): bigint => gross - netOf(gross, rate)

const taxOn = (net: bigint, rate: TaxRate): bigint => roundedDiv(net * BigInt(rate), WHOLE)

/** The line of an amount that contains the tax. */
function includedLine(amount: Amount, currency: string, rule: TaxRule): TaxLine {
  const gross = minorOf(amount, currency)
  const net = netOf(gross, rule.rate)
  return { ...rule, net: amountOf(net, currency), tax: amountOf(gross - net, currency) }
}

/** The line of a net amount, to which the tax is added. */
function addedLine(amount: Amount, currency: string, rule: TaxRule): TaxLine {
  return { ...rule, net: amount, tax: amountOf(taxOn(minorOf(amount, currency), rule.rate), currency) }
}

/** Categories in which the buyer's country or VAT number frees a sale from tax. */
const freed: ReadonlySet<TaxCategory> = new Set(['AE', 'K', 'G', 'O'])

interface Priced {
  price: { amount: Amount; currency: string }
  taxClass: TaxClass
  payer: TaxPayer
}

const frozen = (shop: ShopTax, payer: TaxPayer, line: TaxLine): OrderTax => ({
  ...payer,
  seller: { country: shop.country, vatId: shop.vatId },
  exemption: line.category === 'E' ? shop.exemption : null,
  lines: [line],
})

/** The tax of an order whose amount is final, such as an order of the API. The amount contains the tax. */
export function taxWithin(shop: ShopTax, { price, taxClass, payer }: Priced): OrderTax {
  const rule = taxRule(shop, taxClass, payer)
  return frozen(shop, payer, includedLine(price.amount, price.currency, rule))
}

/**
 * The tax and the amount of an order whose buyer states a country first. If prices contain the tax, buyers
 * pay the same price in every country that charges tax. A buyer who is free of tax pays the net price of the
 * shop's own country.
 */
export function taxOfSale(shop: ShopTax, sale: Priced): { amount: Amount; tax: OrderTax } {
  const { price, taxClass, payer } = sale
  const { currency } = price
  const rule = taxRule(shop, taxClass, payer)
  if (shop.prices === 'included' && !freed.has(rule.category)) {
    return { amount: price.amount, tax: taxWithin(shop, sale) }
  }
  const home = homeRule(shop, taxClass)
  const net = shop.prices === 'added' ? price.amount : includedLine(price.amount, currency, home).net
  const line = addedLine(net, currency, rule)
  return { amount: grossOf([line], currency), tax: frozen(shop, payer, line) }
}

/** The sum of lines with their tax, which is the amount of their order. */
const grossOf = (lines: readonly TaxLine[], currency: string): Amount =>
  amountOf(
    lines.reduce((sum, { net, tax }) => sum + minorOf(net, currency) + minorOf(tax, currency), 0n),
    currency,
  )

/** Splits a sum in proportion to weights that are not negative, by the largest remainder. */
export function spread(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map((_, at) => (at === 0 ? total : 0n))
  const size = total < 0n ? -total : total
  const shares = weights.map(weight => (size * weight) / whole)
  const rest = Number(size - shares.reduce((sum, share) => sum + share, 0n))
  const byRemainder = weights
    .map((weight, at) => ({ at, remainder: (size * weight) % whole }))
    .sort((one, other) => (one.remainder < other.remainder ? 1 : one.remainder > other.remainder ? -1 : 0))
  const more = new Set(byRemainder.slice(0, rest).map(({ at }) => at))
  return shares.map((share, at) => (share + (more.has(at) ? 1n : 0n)) * (total < 0n ? -1n : 1n))
}

/**
 * The lines of a part of an order's amount, such as a refund, a shortfall, or what was paid beyond the
 * amount. Each line has its share of the part, and the share contains the tax at the line's rate.
 */
export function taxOfPart(lines: readonly TaxLine[], part: Amount, currency: string): TaxLine[] {
  const weights = lines.map(({ net, tax }) => minorOf(net, currency) + minorOf(tax, currency))
  const shares = spread(minorOf(part, currency), weights)
  return lines.map(({ category, rate }, at) =>
    includedLine(amountOf(shares[at] ?? 0n, currency), currency, { category, rate }),
  )
}
