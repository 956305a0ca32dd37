// Amounts as decimal strings. Medusa's types for amounts include numbers, but nothing here calculates with
// those.

/** The currencies of ISO 4217 without decimals, and below those with three. All others have two. */
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

export function decimalsOf(currency: string): number {
  const code = currency.toUpperCase()
  if (NO_DECIMALS.includes(code)) return 0
  return THREE_DECIMALS.includes(code) ? 3 : 2
}

/** The text of an amount of Medusa: a number, a string, `{ value }`, or an object of a library. */
function textOf(amount: unknown): string {
  if (typeof amount !== 'object' || amount === null) return String(amount)
  const { value, raw } = amount as { value?: unknown; raw?: { value?: unknown } }
  return String(value ?? raw?.value ?? amount)
}

/** An amount in minor units, rounded half up to the decimals of its currency. */
export function minorOf(amount: unknown, currency: string): bigint {
  const text = textOf(amount)
  const [, whole, fraction = '', exponent = '0'] =
    /^(\d{1,30})(?:\.(\d{1,60}))?(?:e\+?(-?\d{1,2}))?$/i.exec(text) ?? []
  if (whole === undefined) throw new TypeError(`${text} is not an amount of money.`)
  const shift = Number(exponent) + decimalsOf(currency)
  const digits = whole + fraction
  // The index of the digit that decides how the digits before it are rounded.
  const end = whole.length + shift
  const kept = `0${digits.padEnd(end + 1, '0').slice(0, Math.max(end, 0))}`
  const next = end < 0 ? '0' : (digits.padEnd(end + 1, '0')[end] ?? '0')
  return BigInt(kept) + (next >= '5' ? 1n : 0n)
}

/** An amount in the format of Florin: with exactly the decimals of its currency. */
export function decimalOf(amount: unknown, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = minorOf(amount, currency)
    .toString()
    .padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}
