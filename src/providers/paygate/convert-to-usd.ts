import type { Amount } from '../../domain/money.ts'
import { type Ask, unavailable } from './api.ts'
import { plain, readDecimal } from './decimal.ts'

export async function inDollars(ask: Ask, amount: Amount, currency: string): Promise<string> {
  if (currency === 'USD') return amount
  const told = await ask('/control/convert.php', { from: currency.toLowerCase(), value: amount })
  const dollars = typeof told.value_coin === 'string' ? readDecimal(told.value_coin) : null
  const failed = told.status !== undefined && told.status !== 'success'
  if (failed || dollars === null || dollars.digits === 0n) {
    throw unavailable('The gateway did not tell what the amount is worth in US dollars.')
  }
  return plain(dollars)
}
