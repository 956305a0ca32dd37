export type Form = Record<string, string>

/** An error of the API, as Stripe words it. */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }

  toJson() {
    const { type, code, message } = this
    return { error: { type, code, message, request_log_url: 'https://dashboard.stripe.com/test/logs/req_1' } }
  }
}

export const missing = (what: string, id: string): StripeError =>
  new StripeError(404, 'invalid_request_error', 'resource_missing', `No such ${what}: '${id}'`)

/** The values of a form below a name: `metadata[a]=1` is `{ a: '1' }` below `metadata`. */
export const below = (form: Form, name: string): Form =>
  Object.fromEntries(
    Object.entries(form).flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1).replace(/\].*$/, ''), value]] : [],
    ),
  )

export const listOf = (url: string, data: readonly object[]) => ({
  object: 'list',
  url,
  has_more: false,
  data,
})
