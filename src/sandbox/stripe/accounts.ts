import { createHash, createHmac } from 'node:crypto'
import type { State } from '../state.ts'
import { type Form, StripeError } from './wire.ts'

export interface Endpoint {
  id: string
  account: string
  url: string
  secret: string
  description: string
  enabled_events: string[]
  api_version: string
}

/**
 * The account of a request. Any test key works: `rk_test_corner_1` and `rk_test_corner_2` are keys of the
 * account `corner`. A key that ends in the word `nowebhooks` may not set up webhooks.
 */
export interface Caller {
  account: string
  mayMakeWebhooks: boolean
}

const keyFormat = /^[rs]k_test_([A-Za-z0-9]+)(_[A-Za-z0-9_]+)?$/

export function callerOf(request: Request): Caller {
  const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  const [, name, rest = ''] = keyFormat.exec(key) ?? []
  if (name === undefined || rest.includes('revoked')) {
    throw new StripeError(401, 'invalid_request_error', 'api_key_invalid', 'Invalid API Key provided.')
  }
  return { account: `acct_${name}`, mayMakeWebhooks: !rest.includes('nowebhooks') }
}

/** The webhooks of accounts, and the events that they get. */
export function openEndpoints(state: State, clock: () => number, newId: (prefix: string) => string) {
  const all = () => state.list<Endpoint>('stripe.endpoint')
  return {
    of: (account: string): Endpoint[] => all().filter(one => one.account === account),
    make({ account, mayMakeWebhooks }: Caller, form: Form): Endpoint {
      if (!mayMakeWebhooks) {
        const message = 'The provided key does not have the required permissions for this endpoint.'
        throw new StripeError(403, 'invalid_request_error', 'more_permissions_required', message)
      }
      const made: Endpoint = {
        id: newId('we_test_'),
        account,
        url: form.url ?? '',
        secret: `whsec_${newId('')}`,
        description: form.description ?? '',
        enabled_events: Object.entries(form).flatMap(([name, value]) =>
          name.startsWith('enabled_events[') ? [value] : [],
        ),
        api_version: form.api_version ?? '',
      }
      state.put('stripe.endpoint', made.id, made)
      return made
    },
    remove(account: string, id: string): boolean {
      const found = state.get<Endpoint>('stripe.endpoint', id)
      if (found?.account !== account) return false
      state.remove('stripe.endpoint', id)
      return true
    },
    /** The headers and body of an event for an endpoint. */
    signed(
      endpoint: Endpoint,
      event: object,
    ): { url: string; body: string; headers: Record<string, string> } {
      const body = JSON.stringify(event, null, 2)
      const at = Math.floor(clock() / 1000)
      const signature = createHmac('sha256', endpoint.secret).update(`${at}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
      return { url: endpoint.url, body, headers }
    },
  }
}

export const digestOf = (form: Form): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(form).sort()))
    .digest('hex')
