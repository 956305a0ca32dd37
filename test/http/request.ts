import { expect } from 'bun:test'
import type { Answer, App, CallOptions } from '../support/app.ts'
import { OWN_URL } from '../support/app.ts'
import { envelopeProblems } from './expected-shapes.ts'
import { snapshotOf } from './rows.ts'

/** Sends a request. Every response must have the envelope. */
export async function ask(
  app: App,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const answer = await app.call(method, path, options)
  expect(envelopeProblems(answer)).toEqual([])
  return answer
}

/** Sends a request that must succeed. Returns its data. */
export async function data(app: App, method: string, path: string, options: CallOptions = {}, status = 200) {
  const answer = await ask(app, method, path, options)
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json.data
}

/** Sets the webhook of a merchant. Returns its secret. */
export const listen = async (app: App, { live: key }: { live: string }, url: string): Promise<string> =>
  (await data(app, 'PUT', '/v1/webhook', { key, body: { url } })).signingSecret

/** Part of every refused value, so that tests can search for it where it must not appear. */
export const MARKER = 'mArKeR7391'

export interface Refused {
  status: number
  code: string
  /** the field that the first detail of the refusal must name */
  path?: string | undefined
}

/** Sends a request that must be refused, change no row, and leave no value in the response or the log. */
export async function refused(
  app: App,
  { status, code, path: at }: Refused,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const before = snapshotOf(app)
  const answer = await ask(app, method, path, options)
  expect([answer.status, answer.json.error?.code]).toEqual([status, code])
  if (at !== undefined) expect(answer.json.error.details[0].path).toContain(at)
  expect(answer.text).not.toContain(MARKER)
  expect(JSON.stringify(app.logged)).not.toContain(MARKER)
  expect(snapshotOf(app)).toEqual(before)
  return answer
}

/** Sends a raw request, such as one with a body in chunks or with bytes that are not text. */
export async function send(app: App, request: Request): Promise<Answer> {
  const response = await app.florin.http.handle(request)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

export const requestTo = (method: string, path: string, init: RequestInit = {}): Request =>
  new Request(`${OWN_URL}${path}`, { method, ...init })
