import type { Amount } from '../../domain/money.ts'
import { type CallApi, unavailable } from './api.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'

/** The value of an amount in US dollars by the gateway's own rate, as a decimal string. */
export async function convertToUsd(callApi: CallApi, amount: Amount, currency: string): Promise<string> {
  if (currency === 'USD') return amount
  const response = await callApi('/control/convert.php', { from: currency.toLowerCase(), value: amount })
  const dollars = typeof response.value_coin === 'string' ? parseDecimal(response.value_coin) : null
  const failed = response.status !== undefined && response.status !== 'success'
  if (failed || dollars === null || dollars.digits === 0n) {
    throw unavailable('The gateway did not convert the amount to US dollars.')
  }
  return formatDecimal(dollars)
}
