import { errorBody } from '../../../views/dashboard/error.ts'
import { type DashboardFrame, dashboardPage, type Viewer } from '../../../views/dashboard/layout.ts'
import { type DashboardLocale, dashboardLanguages, dashboardLocale } from '../../../views/dashboard/locale.ts'
import { PASSKEY_PROOF_FIELD, PROOF_FIELD, proofBody } from '../../../views/dashboard/proof.ts'
import type { Html } from '../../../views/html.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { Reason } from '../../domain/reason.ts'
import { isAllowed } from '../../domain/user.ts'
import type { Context } from '../../operations/context.ts'
import { countUnmatched, OPEN_MAX } from '../../operations/payments/browse-unmatched.ts'
import { listPasskeys } from '../../operations/people/passkeys.ts'
import { formStamp } from '../../operations/people/prove.ts'
import { listShops, rememberLanguage, type Visit } from '../../operations/people/visit.ts'
import { originsOf, pageHeaders } from '../pages/headers.ts'
import { languageCookie, localeInCookie, localeInUrl, localeOf } from '../pages/language.ts'
import { requestId } from '../request-state.ts'
import { dashboardAssets, passkeyUse } from './assets.ts'
import type { DashboardDeps, ResponseHeaders } from './deps.ts'
import { problemText, problemTitle, sentenceOf } from './problem.ts'
import { visitorOf } from './visit.ts'

/**
 * The locale of the dashboard. Its language is the one that a link asks for now, or asked for in this browser
 * before; else the person's choice, the browser's preference, or the language of the shop. Its time zone is
 * that of the shop.
 */
export function dashboardLocaleOf(context: Context, request: Request, visit: Visit | null): DashboardLocale {
  const linked = localeInUrl(request.url) ?? localeInCookie(request.headers.get('cookie'))
  const wanted = [linked?.tag, visit?.user.language, localeOf(request).tag]
  const tag = wanted.find(one => dashboardLanguages.some(known => known === one))
  const shop = visit?.merchant
  const locale = dashboardLocale(tag ?? shop?.language ?? 'en', shop?.timeZone ?? 'UTC')
  return { ...locale, shopId: shop?.id ?? null, formStamp: visit && formStamp(context, visit) }
}

/**
 * The content security policy of a page. Other servers are allowed only for images that the page names, and
 * for the target of a form that it names.
 */
const policyWith = (images: readonly (string | null)[], formsTo: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${originsOf(images)}`,
    "connect-src 'self'",
    `form-action 'self'${originsOf([formsTo])}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const dashboardHeaders = (
  request: Request,
  checkoutUrl: string,
  language: string,
  images: readonly (string | null)[] = [],
  formsTo: string | null = null,
): Record<string, string> => ({
  ...pageHeaders,
  'content-security-policy': policyWith(images, formsTo),
  // A form must say which page it comes from.
  'referrer-policy': 'same-origin',
  'content-language': language,
  vary: 'Accept-Language, Cookie',
  ...languageCookie(request, checkoutUrl),
})

/** A page of the dashboard, without its frame. */
interface Page {
  title: string
  body: Html
  /** status of the response, if the page knows it better than its route */
  status?: number
  headers?: Record<string, string>
  /** URLs of images, which may be on other servers */
  images?: readonly (string | null)[]
  /** URL on another server to which a form of the page leads */
  formsTo?: string
  /** true if the page is only about an error, which its title already names */
  isError?: boolean
}

/** Makes a page in the language of its request. */
export type View = (locale: DashboardLocale) => Page | Promise<Page>

/** The parts of a response that Elysia lets a handler change. */
export interface Settable {
  headers: ResponseHeaders
  status?: number | string
}

async function viewerOf(locale: DashboardLocale, { context }: DashboardDeps, visit: Visit): Promise<Viewer> {
  const { frame } = locale.texts
  const { merchant, role, user, lacksSecondFactor } = visit
  const shops = await listShops(context, user)
  const open = merchant ? await countUnmatched(context, merchant.id) : 0
  return {
    unmatched: open === 0 ? null : open < OPEN_MAX ? locale.number(open) : `${locale.number(OPEN_MAX)}+`,
    email: user.email,
    roleName: user.isOperator ? frame.operator : role ? frame.roles[role] : '',
    shopName: merchant?.name ?? null,
    shops: shops.map(({ id, name }) => ({ id, name, isChosen: id === merchant?.id })),
    may: access =>
      (access === 'person' || !lacksSecondFactor) &&
      (access === 'person' || access === 'operator' || merchant !== null) &&
      isAllowed(access, role, user.isOperator),
  }
}

/** Remembers the first language in which a person saw the dashboard without a link to that language. */
async function rememberFirst(context: Context, visit: Visit, { tag }: DashboardLocale, url: URL) {
  if (visit.user.language === null && !url.searchParams.has('lang'))
    await rememberLanguage(context, visit, tag)
}

/**
 * Renders a page of the dashboard in the language of its request, and sets the headers of the response.
 * Answers to forms have no link to another language.
 */
export async function renderPage(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  view: View,
): Promise<string> {
  const { context, isSandbox } = deps
  const visit = await visitorOf(context, request)
  const locale = dashboardLocaleOf(context, request, visit)
  const url = new URL(request.url)
  if (visit) await rememberFirst(context, visit, locale, url)
  const urlIn = (tag: string): string => {
    url.searchParams.set('lang', tag)
    return url.pathname + url.search
  }
  const frame: DashboardFrame = {
    assets: dashboardAssets,
    isSandbox,
    viewer: visit && (await viewerOf(locale, deps, visit)),
    path: url.pathname,
    urlIn: request.method === 'GET' ? urlIn : null,
  }
  const { title, body, status, headers, images, formsTo, isError = false } = await view(locale)
  const { checkoutUrl } = context.policy
  Object.assign(set.headers, dashboardHeaders(request, checkoutUrl, locale.tag, images, formsTo), headers)
  if (status !== undefined) set.status = status
  // The title says that a form was refused, because screen readers begin with the title.
  const isRefused = request.method === 'POST' && Number(set.status ?? 200) >= 400 && !isError
  return dashboardPage(locale, frame, {
    title: isRefused ? locale.texts.errors.titled({ title }) : title,
    body,
  })
}

/**
 * Renders a part of a page alone, in the language of its page. For null, the browser leaves the part as it
 * is.
 */
export async function renderPart(
  { context }: DashboardDeps,
  request: Request,
  set: Settable,
  view: (locale: DashboardLocale) => Html | null | Promise<Html | null>,
): Promise<string | undefined> {
  const locale = dashboardLocaleOf(context, request, await visitorOf(context, request))
  Object.assign(set.headers, dashboardHeaders(request, context.policy.checkoutUrl, locale.tag))
  const content = await view(locale)
  if (content === null) set.status = 204
  return content?.toString()
}

type ProofRequired = Extract<Reason, { kind: 'proof_required' }>

/** The page that asks for the password, or a passkey, before a form is sent once more. */
async function proofPage(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  { form, wrong }: ProofRequired,
) {
  const { context } = deps
  const visit = await visitorOf(context, request)
  const passkeys = visit ? await listPasskeys(context, visit) : []
  const use = passkeys.length > 0 ? passkeyUse(context) : null
  return renderPage(deps, request, set, locale => ({
    title: locale.texts.signIn.proofTitle,
    body: proofBody(locale, {
      action: new URL(request.url).pathname,
      values: form,
      passwordName: PROOF_FIELD,
      email: visit?.user.email ?? '',
      problem: sentenceOf(locale.texts, wrong),
      passkey: use && { ...use, field: PASSKEY_PROOF_FIELD },
    }),
  }))
}

/** The page for an error at a path below /dashboard. */
export const dashboardError =
  (deps: DashboardDeps) =>
  (request: Request, set: Settable, refusal: Refusal): Promise<string> => {
    const { reason } = refusal
    if (reason?.kind === 'proof_required') return proofPage(deps, request, set, reason)
    return renderPage(deps, request, set, locale => {
      const title = problemTitle(locale, refusal)
      return {
        title,
        isError: true,
        body: errorBody(locale, {
          title,
          message: problemText(locale, refusal),
          requestId: refusal.status >= 500 ? requestId(request) : null,
        }),
      }
    })
  }
