import type { Json } from '../json-api.ts'
import { notFound, type Parts, PayPalError } from './wire.ts'

const TOKEN_SECONDS = 32_400

interface Token {
  account: string
  until: number
}

interface Webhook {
  id: string
  account: string
  url: string
  event_types: { name: string }[]
}

const clientFormat = /^([A-Za-z0-9]{13})[A-Za-z0-9_-]{7,187}$/

const unauthorized = (): PayPalError =>
  new PayPalError(401, 'INVALID_TOKEN', 'Authentication failed due to invalid authentication credentials.')

/**
 * The accounts for which requests are made. Any client ID works: its first 13 characters name the account.
 * Any secret works too, unless it contains the word `revoked`.
 */
export function openAccounts({ state, clock, newId, deliver }: Parts) {
  const webhooksOf = (account: string): Webhook[] =>
    state.list<Webhook>('paypal.webhook').filter(one => one.account === account)

  /** An access token for a client ID and its secret. */
  function token(request: Request): Response {
    const header = request.headers.get('authorization')?.replace(/^Basic /, '') ?? ''
    const [clientId = '', secret = ''] = Buffer.from(header, 'base64').toString().split(':')
    const [, account] = clientFormat.exec(clientId) ?? []
    if (account === undefined || secret.length < 20 || secret.includes('revoked')) {
      const error = { error: 'invalid_client', error_description: 'Client Authentication failed' }
      return Response.json(error, { status: 401 })
    }
    const text = `A21AA${newId()}`
    state.put('paypal.token', text, {
      account: account.toUpperCase(),
      until: clock() + TOKEN_SECONDS * 1000,
    } satisfies Token)
    const scope = 'https://uri.paypal.com/services/checkout'
    return Response.json({
      ...{ scope, access_token: text, token_type: 'Bearer' },
      ...{ app_id: 'APP-80W284485P519543T', expires_in: TOKEN_SECONDS },
    })
  }

  return {
    token,
    webhooksOf,
    /** The account of the token in a request. Throws as the API does. */
    accountOf(request: Request): string {
      const text = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
      const known = state.get<Token>('paypal.token', text)
      if (known === null || known.until <= clock()) throw unauthorized()
      return known.account
    },
    makeWebhook(account: string, { url, event_types: types }: Json): Webhook {
      if (webhooksOf(account).some(one => one.url === url)) {
        throw new PayPalError(400, 'WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists')
      }
      const made = {
        ...{ id: newId(), account, url: String(url) },
        event_types: Array.isArray(types) ? (types as Webhook['event_types']) : [],
      }
      state.put('paypal.webhook', made.id, made)
      return made
    },
    removeWebhook(account: string, id: string): void {
      if (state.get<Webhook>('paypal.webhook', id)?.account !== account) throw notFound()
      state.remove('paypal.webhook', id)
    },
    /** Reports an event to the webhooks of an account that are subscribed to it. */
    report(account: string, type: string, resource: object): Promise<number[]> {
      const event = {
        ...{ id: `WH-${newId()}`, event_version: '1.0', create_time: new Date(clock()).toISOString() },
        ...{ resource_type: type.split('.')[0]?.toLowerCase(), event_type: type, resource, links: [] },
      }
      const headers = {
        'content-type': 'application/json',
        'paypal-transmission-id': event.id,
        'paypal-transmission-time': event.create_time,
      }
      const request = { body: JSON.stringify(event), headers }
      const wanted = webhooksOf(account).filter(one => one.event_types.some(({ name }) => name === type))
      return Promise.all(wanted.map(({ url }) => deliver({ url, ...request })))
    },
  }
}

export type PayPalAccounts = ReturnType<typeof openAccounts>
