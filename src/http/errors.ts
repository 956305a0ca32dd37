import { ValueErrorType } from '@sinclair/typebox/errors'
import { Elysia, ValidationError } from 'elysia'
import { type InvalidField, Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import type { dashboardError } from './dashboard/page.ts'
import { failure } from './envelope.ts'
import { failureAt } from './greenfield/failure.ts'
import type { RenderError } from './pages/error.ts'
import { languageCookie, languageHeaders, localeOf } from './pages/language.ts'
import { pathOf, requestId, wantsPage, wantsPart } from './request-state.ts'
import { describeViolation } from './schema/violations.ts'

const DETAILS_MAX = 20

type Violation = ValidationError['all'][number]

/** The detail of a violation for the response. It names the path and the rule, never the value. */
const detailOf = (violation: Violation): InvalidField => ({
  path: 'path' in violation ? violation.path : '',
  rule: describeViolation(violation),
})

/** True if a list is too long. The items of such a list are not described. */
const isTooLong = (violation: Violation): violation is Violation & { path: string } =>
  'type' in violation && violation.type === ValueErrorType.ArrayMaxItems

function refusalOfValidation(error: ValidationError): Refusal {
  const seen = new Set<string>()
  const violations: Violation[] = error.all
  const tooLong = violations.filter(isTooLong)
  const details = violations
    .map(detailOf)
    .filter(({ path }) => !tooLong.some(list => path.startsWith(`${list.path}/`)))
    .filter(({ path }) => !seen.has(path) && seen.add(path))
  const [first] = details
  const message = first ? `${first.path || error.type}: ${first.rule}` : undefined
  return new Refusal('validation_error', message, { details: details.slice(0, DETAILS_MAX) })
}

/**
 * The refusal that an error is, or that caused it. Errors that occur before a body is read are wrapped twice.
 */
export function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  return error instanceof Error ? refusalIn(error.cause) : null
}

/** The refusal with which a request that threw an error is answered. */
function refusalOf(code: string | number, error: unknown): Refusal {
  const refusal = refusalIn(error)
  if (refusal) return refusal
  if (error instanceof ValidationError) return refusalOfValidation(error)
  if (code === 'PARSE' || code === 'INVALID_COOKIE_SIGNATURE')
    return new Refusal('validation_error', 'The request is malformed.')
  return new Refusal('internal_error')
}

const isForScript = (request: Request): boolean =>
  !wantsPage(request) || /^\/(api\/)?v1\//.test(pathOf(request.url))

/**
 * The refusal of a request that matches no route. For scripts, the header Allow names the methods of the
 * path, if there are any.
 */
function unrouted(
  request: Request,
  set: { headers: Record<string, string | number> },
  methodsAt: (path: string) => string[],
): Refusal {
  const methods = isForScript(request) ? methodsAt(pathOf(request.url)) : []
  if (methods.length === 0) return new Refusal('not_found')
  set.headers.allow = methods.join(', ')
  return new Refusal('method_not_allowed')
}

/**
 * The reason, for the operator, why the database could not be used; null for other errors. Any refusal before
 * a body is read is the cause of another error, whose message says nothing.
 */
function faultIn(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof Refusal) return null
  const { cause } = error
  if (!(cause instanceof Refusal)) return faultIn(cause)
  return cause.code === 'storage_unavailable' ? error.message : null
}

function logFault(context: Context, request: Request, refusal: Refusal, thrown: unknown): void {
  const reason = faultIn(thrown)
  if (reason !== null) context.log.warn({ requestId: requestId(request), reason }, 'storage.unavailable')
  if (refusal.code !== 'internal_error') return
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown
  const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  context.log.error({ requestId: requestId(request), error }, 'request.failed')
}

/**
 * The URL for links to other languages. After a form, whose answer cannot be loaded again, it is `backUrl`.
 */
const linkedUrl = ({ method }: Request, backUrl: string | null): string | null =>
  method === 'GET' ? '' : backUrl

/** The path of the order's page, for the button on an error page; null if the order may not exist. */
function backUrlOf(path: string, refusal: Refusal): string | null {
  const [, orderId] = /^\/(?:pay|payment\/process)\/([0-9a-f-]{36})/i.exec(path) ?? []
  return orderId && refusal.code !== 'not_found' ? `/pay/${orderId}` : null
}

function leadTo(
  set: { headers: Record<string, string | number>; status?: number | string },
  request: Request,
  path: string,
): string {
  // For a part that updates itself, the browser reloads the whole page, which is then redirected.
  if (wantsPart(request)) {
    set.headers['hx-refresh'] = 'true'
    return ''
  }
  set.status = 303
  set.headers.location = path
  return ''
}

/** A refusal as JSON, in the format of the API that was called. */
function answerScript(
  { policy }: Context,
  request: Request,
  set: { headers: Record<string, string | number>; status?: number | string },
  refusal: Refusal,
): object {
  set.headers['content-type'] = 'application/json'
  const format = policy.greenfield ? failureAt(pathOf(request.url)) : null
  return format ? format(refusal, set) : failure(refusal, requestId(request))
}

/** The error pages of a server, which are read by buyers, or by people of the dashboard. */
export type ErrorPages = { forBuyers: RenderError } | { forPeople: ReturnType<typeof dashboardError> }

/** Answers every error: browsers get a page, other clients JSON. */
export const errors = (context: Context, pages: ErrorPages, methodsAt: (path: string) => string[]) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, async ({ code, error, request, set }) => {
    const isUnrouted = code === 'NOT_FOUND'
    const refusal = isUnrouted ? unrouted(request, set, methodsAt) : refusalOf(code, error)
    logFault(context, request, refusal, error)
    set.status = refusal.status
    if (refusal.retryAfterSeconds !== undefined)
      set.headers['retry-after'] = String(refusal.retryAfterSeconds)
    if (isForScript(request)) {
      return answerScript(context, request, set, refusal)
    }
    if ('forPeople' in pages) {
      const { reason } = refusal
      if (reason?.kind === 'sign_in_required')
        return leadTo(set, request, `/dashboard/sign-in?next=${encodeURIComponent(reason.next)}`)
      if (reason?.kind === 'second_factor_required')
        return leadTo(set, request, '/dashboard/account#second-factor')
      return pages.forPeople(request, set, refusal)
    }
    const locale = localeOf(request)
    const path = pathOf(request.url)
    const backUrl = backUrlOf(path, refusal)
    const cookie = languageCookie(request, context.policy.checkoutUrl)
    const links = { requestId: requestId(request), backUrl, url: linkedUrl(request, backUrl) }
    const { page, headers, status } = await pages.forBuyers(locale, refusal, links, path)
    set.status = status
    Object.assign(set.headers, headers, languageHeaders(locale), cookie)
    return page
  })
