import type { Refusal, RefusalCode } from '../../domain/errors.ts'

/** Formats a refusal, and may change the status of the response. */
type Format = (refusal: Refusal, set: { status?: number | string }) => object

/** The format of refusals at a path of BTCPay Server's APIs; null at other paths. */
export function failureAt(path: string): Format | null {
  if (path.startsWith('/api/v1/')) return greenfieldFailure
  return /^\/(invoices|tokens)(\/|$)/.test(path) ? legacyFailure : null
}

const legacyFailure: Format = ({ message }) => ({ error: message })

/** Error codes that clients of BTCPay Server know. Other refusals keep Florin's code, with hyphens. */
const codes: Partial<Record<RefusalCode, string>> = {
  unauthorized: 'unauthenticated',
  invalid_api_key: 'unauthenticated',
  insufficient_scope: 'missing-permission',
  live_key_required: 'missing-permission',
  test_key_required: 'missing-permission',
  internal_error: 'generic-error',
}

/** The status with which BTCPay Server answers requests that it cannot process. Clients expect it. */
const UNPROCESSABLE = 422

/** A refusal in the format of BTCPay Server: a list of fields, or a code and a message. */
function greenfieldFailure(refusal: Refusal, set: { status?: number | string }): object {
  const { code, details, message } = refusal
  if (code === 'validation_error') {
    set.status = UNPROCESSABLE
    const fields = details ?? [{ path: '', rule: message }]
    return fields.map(({ path, rule }) => ({
      path: path.replace(/^\//, '').replaceAll('/', '.'),
      message: rule,
    }))
  }
  if (code === 'conflict' || refusal.status === 409) set.status = UNPROCESSABLE
  return { code: codes[code] ?? code.replaceAll('_', '-'), message }
}
