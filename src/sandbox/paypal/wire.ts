import { currencyDecimals } from '../../domain/currency.ts'
import { ApiError } from '../json-api.ts'
import type { State } from '../state.ts'

export interface Parts {
  state: State
  clock(): number
  newId(): string
  /** sends a webhook, and returns the status of the answer; 0 if there was none */
  deliver(request: { url: string; body: string; headers: Record<string, string> }): Promise<number>
}

const names: Record<number, string> = {
  400: 'INVALID_REQUEST',
  401: 'AUTHENTICATION_FAILURE',
  404: 'RESOURCE_NOT_FOUND',
  409: 'RESOURCE_CONFLICT',
  422: 'UNPROCESSABLE_ENTITY',
}

/** An error of the API, as PayPal words it. */
export class PayPalError extends ApiError {
  constructor(
    readonly status: number,
    readonly issue: string,
    readonly description: string,
  ) {
    super(description)
  }

  toJson() {
    const { status, issue, description } = this
    const message = 'The requested action could not be performed.'
    return { name: names[status], message, debug_id: 'b1d1f06c7246c', details: [{ issue, description }] }
  }
}

export const refused = (issue: string, description: string): PayPalError =>
  new PayPalError(422, issue, description)
export const notFound = (): PayPalError =>
  new PayPalError(404, 'INVALID_RESOURCE_ID', 'Specified resource ID does not exist.')

export const inProgress = (): PayPalError =>
  new PayPalError(409, 'PREVIOUS_REQUEST_IN_PROGRESS', 'A previous request is currently in progress.')

export interface Sum {
  currency_code: string
  value: string
}

const whole = ['HUF', 'JPY', 'TWD']

/** An amount of a request, with the decimals of its currency at PayPal. */
export function sumIn(given: unknown): Sum {
  const { value, currency_code: currency } = (given ?? {}) as Partial<Sum>
  const decimals = whole.includes(String(currency)) ? 0 : currencyDecimals(String(currency))
  if (decimals === undefined) throw refused('INVALID_CURRENCY_CODE', 'The currency code is not supported.')
  const form = decimals > 0 ? new RegExp(`^[0-9]+([.][0-9]{1,${decimals}})?$`) : /^[0-9]+$/
  if (!form.test(String(value))) throw refused('DECIMAL_PRECISION', 'The value has too many decimals.')
  return { currency_code: String(currency), value: String(value) }
}

/** An amount in units of 10^-3. No currency has a smaller unit. */
export const unitsOf = ({ value }: Sum): bigint => {
  const [units = '0', fraction = ''] = value.split('.')
  return BigInt(units + fraction.padEnd(3, '0'))
}
