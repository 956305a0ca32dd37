import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { linkBody, signInBody } from '../../../views/dashboard/sign-in.ts'
import type { Refusal } from '../../domain/errors.ts'
import { listMerchants } from '../../operations/merchants/read.ts'
import { type OpenLink, readLink } from '../../operations/people/links.ts'
import { hasUsers } from '../../operations/people/read.ts'
import { redeemFirstCode, redeemLink, signIn } from '../../operations/people/sign-in.ts'
import { chooseShop, signOut } from '../../operations/people/visit.ts'
import { passkeyUse } from './assets.ts'
import { canSignIn, noLoginCookie } from './cookie.ts'
import { optional, text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import { browserOf, enteredPath, safeNext } from './login-path.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import { firstGuide } from './setup/guide.ts'
import { type PublicVisit, visitorOf } from './visit.ts'

const PATH = '/dashboard/sign-in'
const WELCOME = '/dashboard/welcome'

/** Checks if a page can sign a person in. If it cannot, a form that was sent there is refused. */
export function placeToSignIn({ context, request }: PublicVisit): { isPossible: boolean; status?: number } {
  const isPossible = canSignIn(request, context.policy.dashboardUrl)
  return { isPossible, ...(!isPossible && request.method === 'POST' && { status: 400 }) }
}

interface SignInState {
  next: string
  email?: string
  refusal?: Refusal
}

/** The page to sign in, which is also shown after a refusal. */
export const signInView =
  (visit: PublicVisit, { next, email = '', refusal }: SignInState): View =>
  locale => {
    const { isPossible, ...answer } = placeToSignIn(visit)
    const problem = refusal ? problemText(locale, refusal) : null
    const { context } = visit
    const mailsLinks = context.channels.mail !== null
    const model = { email, problem, next, isPossible, mailsLinks, passkey: passkeyUse(context) }
    return { title: locale.texts.signIn.title, body: signInBody(locale, model), ...answer }
  }

/** The pages for people who are not signed in. */
export const signInRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'public',
    query: { next: optional(2000) },
    async show(visit) {
      const next = safeNext(visit.query.next)
      if (await visitorOf(visit.context, visit.request)) return next
      return (await hasUsers(visit.context)) ? signInView(visit, { next }) : WELCOME
    },
  }),
  form({
    path: PATH,
    access: 'public',
    fields: { email: text(254), password: text(1000), next: optional(2000) },
    async run(visit) {
      const { context, deps, request, body } = visit
      if (!canSignIn(request, context.policy.dashboardUrl)) return null
      deps.limit(request)
      return signIn(context, body, browserOf(visit))
    },
    done(entered, visit) {
      const { email } = visit.body
      const next = safeNext(visit.body.next)
      return entered ? enteredPath(visit, entered, next) : signInView(visit, { email, next })
    },
    refused(refusal, visit) {
      const { email } = visit.body
      return signInView(visit, { email, next: safeNext(visit.body.next), refusal })
    },
  }),
]

const linkTitle = ({ texts: { signIn } }: DashboardLocale, { purpose }: OpenLink): string =>
  ({ first: signIn.firstTitle, password: signIn.passwordTitle, enter: signIn.enterTitle })[purpose]

/** True if the person of the link will be led to create the first shop. */
async function beginsServer({ context }: PublicVisit, { purpose, user }: OpenLink): Promise<boolean> {
  if (purpose === 'enter' || (user !== null && !user.isOperator)) return false
  return (await listMerchants(context)).length === 0
}

/** The values that were entered on the page of a link, and the reason why they were refused. */
interface Entered {
  email?: string | undefined
  code?: string
  refusal?: Refusal
}

/**
 * The page of a link. With `code`, it is the page of a new server, which asks for the code instead of the
 * link.
 */
async function linkView(visit: PublicVisit, link: OpenLink, { email = '', code, refusal }: Entered) {
  // The first person of a new server has more to do after this page, so it shows the guide.
  const isSetup = await beginsServer(visit, link)
  const isOfField = refusal?.code === 'validation_error'
  const { isPossible, ...answer } = placeToSignIn(visit)
  return (locale: DashboardLocale) => ({
    title: linkTitle(locale, link),
    body: linkBody(locale, {
      purpose: link.purpose,
      isPossible,
      email: link.user?.email ?? email,
      problem: refusal && !isOfField ? problemText(locale, refusal) : null,
      wrong: refusal ? refusedFields(refusal) : [],
      guide: isSetup ? firstGuide('account', null) : null,
      code: code ?? null,
    }),
    ...answer,
    // Other pages must not get the token, which is in the address of this page.
    headers: { 'referrer-policy': 'no-referrer' },
  })
}

const showLink = async (visit: PublicVisit, token: string, entered: Entered = {}): Promise<View> =>
  linkView(visit, await readLink(visit.context, token), entered)

/** The page of a server that has no users. Once there are users, people sign in instead. */
const showWelcome = async (visit: PublicVisit, entered: Entered): Promise<View | string> =>
  (await hasUsers(visit.context)) ? PATH : linkView(visit, { purpose: 'first', user: null }, entered)

/** The first page of a new server, on which a person enters the code that the terminal shows. */
const welcomeRoutes: readonly Route[] = [
  page({ path: WELCOME, access: 'public', show: visit => showWelcome(visit, { code: '' }) }),
  form({
    path: WELCOME,
    access: 'public',
    fields: { code: text(100), email: text(254), password: text(1000) },
    async run(visit) {
      const { context, deps, request, body } = visit
      deps.limit(request)
      if (!placeToSignIn(visit).isPossible) return null
      return redeemFirstCode(context, body.code, body, browserOf(visit))
    },
    done: (entered, visit) =>
      entered ? enteredPath(visit, entered, '/dashboard') : showWelcome(visit, { code: '' }),
    refused: (refusal, visit) => showWelcome(visit, { ...visit.body, refusal }),
  }),
]

const LINK = '/dashboard/link/:token'

/** The pages of links and codes that can be used only once. */
export const linkRoutes: readonly Route[] = [
  ...welcomeRoutes,
  page({
    path: LINK,
    access: 'public',
    show(visit) {
      visit.deps.limit(visit.request)
      return showLink(visit, visit.params.token)
    },
  }),
  form({
    path: LINK,
    access: 'public',
    fields: { email: optional(254), password: optional(1000) },
    async run(visit) {
      const { context, deps, request, params, body } = visit
      deps.limit(request)
      // If a login's cookie is sent without encryption, it can be read on its way.
      if (!placeToSignIn(visit).isPossible) return null
      const given = { email: body.email ?? '', password: body.password ?? '' }
      return redeemLink(context, params.token, given, browserOf(visit))
    },
    done: (entered, visit) =>
      entered ? enteredPath(visit, entered, '/dashboard') : showLink(visit, visit.params.token),
    refused(refusal, visit) {
      if (refusal.code === 'rate_limited') throw refusal
      return showLink(visit, visit.params.token, { email: visit.body.email, refusal })
    },
  }),
]

/** The forms for everybody who is signed in: to show another shop, and to sign out. */
export const visitRoutes: readonly Route[] = [
  form({
    path: '/dashboard/shop',
    access: 'person',
    fields: { merchantId: text(36) },
    run: visit => chooseShop(visit.context, visit, visit.body.merchantId),
    done: '/dashboard',
  }),
  form({
    path: '/dashboard/sign-out',
    access: 'person',
    async run(visit) {
      await signOut(visit.context, visit)
      Object.assign(visit.headers, noLoginCookie(visit.context.policy.dashboardUrl), {
        // Also empties the cache of the back button. Buyers' pages of the same host keep their stored data.
        'clear-site-data': '"cache"',
      })
    },
    done: '/dashboard/sign-in',
  }),
]
