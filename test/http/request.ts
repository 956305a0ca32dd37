import { expect } from 'bun:test'
import type { Answer, App, CallOptions } from '../support/app.ts'
import { OWN_URL } from '../support/app.ts'
import { envelopeFaults } from './expected-shapes.ts'
import { snapshotOf } from './rows.ts'

/** A request whose answer has to be in the envelope, whatever else it is. */
export async function ask(
  app: App,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const answer = await app.call(method, path, options)
  expect(envelopeFaults(answer)).toEqual([])
  return answer
}

/** A request that succeeds; answers its data. */
export async function data(app: App, method: string, path: string, options: CallOptions = {}, status = 200) {
  const answer = await ask(app, method, path, options)
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json.data
}

/** In every value that is refused, so that it can be looked for where it must not be. */
export const MARKER = 'mArKeR7391'

export interface Refused {
  status: number
  code: string
  /** the member that the first of the details names */
  path?: string | undefined
}

/** A request that is refused, changes no row, and repeats no value in its answer or in the log. */
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

/** Hands over a request as it is: for bodies that come in pieces and bytes that are no text. */
export async function send(app: App, request: Request): Promise<Answer> {
  const response = await app.florin.http.handle(request)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

export const requestTo = (method: string, path: string, init: RequestInit = {}): Request =>
  new Request(`${OWN_URL}${path}`, { method, ...init })
