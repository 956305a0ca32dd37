import { invalid, Refusal } from '../../../domain/errors.ts'
import { parseAmount } from '../../../domain/money.ts'
import type { FundsReminder } from '../../../domain/waiting-funds.ts'

const AT = 'funds-reminder'

/**
 * Checks the value of waiting funds at which a shop is notified, in its currency. An empty text removes the
 * reminder.
 */
export function parseFundsReminder(text: string, currency: string | null): FundsReminder | null {
  if (text === '') return null
  if (currency === null) throw invalid(AT, 'needs the currency of the shop: choose it first')
  try {
    return { amount: parseAmount(text, currency), currency }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid(AT, `must be an amount in ${currency} greater than zero, such as 500`)
  }
}
