import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { linkBody, signInBody } from '../../../views/dashboard/sign-in.ts'
import type { Refusal } from '../../domain/errors.ts'
import { listMerchants } from '../../operations/merchants/read.ts'
import type { OpenLink } from '../../operations/people/links.ts'
import { readLink } from '../../operations/people/links.ts'
import { type Entered, redeemLink, signIn } from '../../operations/people/sign-in.ts'
import { chooseShop, signOut } from '../../operations/people/visit.ts'
import { personOf, requirePerson, visitorOf } from './access.ts'
import { canSignIn, noLoginCookie } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import { browserOf, enteredPath, safeNext, unsigned } from './entered.ts'
import { renderPage, type Settable } from './page.ts'
import { passkeyUse } from './passkey-use.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'
import { firstGuide } from './setup/guide.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const SignInForm = Type.Object({ email: text(254), password: text(1000), next: Type.Optional(text(2000)) })
const LinkForm = Type.Object({ email: Type.Optional(text(254)), password: Type.Optional(text(1000)) })
const LinkParams = Type.Object({ token: text(100) })
const ShopForm = Type.Object({ merchantId: text(36) })

const linkProblem = (locale: DashboardLocale, refusal: Refusal): string | null =>
  refusal.code === 'validation_error' ? null : problemText(locale, refusal)

/** The page to sign in, after a refusal too. */
export function showSignIn(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  { next, email = '', refusal = null }: { next: string; email?: string; refusal?: Refusal | null },
): Promise<string> {
  if (refusal) set.status = refusal.status
  return renderPage(deps, request, set, locale => {
    const problem = refusal && problemText(locale, refusal)
    const isPossible = canSignIn(request, deps.context.policy.dashboardUrl)
    const model = { email, problem, next, isPossible, passkey: passkeyUse(deps.context) }
    return { title: locale.texts.signIn.title, body: signInBody(locale, model) }
  })
}

/** The pages for people who are not signed in. */
export const signInPages = (deps: DashboardDeps) => {
  const { context, limit, tries } = deps
  const { dashboardUrl } = context.policy
  const isPublic = requirePerson(context, 'public')
  return new Elysia()
    .get(
      '/dashboard/sign-in',
      async ({ query, redirect, request, set }) => {
        const next = safeNext(query.next)
        if (await visitorOf(context, request)) return redirect(next, 303)
        return showSignIn(deps, request, set, { next })
      },
      { ...isPublic, query: Type.Object({ next: Type.Optional(text(2000)), lang: Type.Optional(text(20)) }) },
    )
    .post(
      '/dashboard/sign-in',
      async ({ body, redirect, request, set }) => {
        const next = safeNext(body.next)
        let entered: Entered | null = null
        const refusal = canSignIn(request, dashboardUrl)
          ? await refusalOf(async () => {
              limit(request)
              const account = body.email.toLowerCase()
              entered = await tries.counting(account, () => signIn(context, body, browserOf(deps, request)))
            })
          : null
        if (entered) return redirect(enteredPath(set, dashboardUrl, entered, next), 303)
        set.status = 400
        return showSignIn(deps, request, set, { email: body.email, next, refusal })
      },
      { ...isPublic, body: SignInForm },
    )
}

const linkTitle = ({ texts: { signIn } }: DashboardLocale, { purpose }: OpenLink): string =>
  ({ first: signIn.firstTitle, password: signIn.passwordTitle, enter: signIn.enterTitle })[purpose]

/** Whether the person of the link will be led to create the first shop. */
async function beginsServer(context: DashboardDeps['context'], { user }: OpenLink): Promise<boolean> {
  if (user !== null && !user.isOperator) return false
  return (await listMerchants(context)).length === 0
}

/** The pages of links that can be used once. */
export const linkPages = (deps: DashboardDeps) => {
  const { context, limit } = deps
  const { dashboardUrl } = context.policy
  const isPublic = requirePerson(context, 'public')
  /** The token in the address of the page must not reach another one. */
  const hideAddress = (set: { headers: Record<string, string | number> }) => {
    set.headers['referrer-policy'] = 'no-referrer'
  }
  const show = async (
    request: Request,
    set: Settable,
    link: OpenLink,
    email: string,
    refusal: Refusal | null,
  ): Promise<string> => {
    const { purpose } = link
    // The first person of a new server has more to do after this page.
    const isSetup = purpose !== 'enter' && (await beginsServer(context, link))
    const page = await renderPage(deps, request, set, locale => ({
      title: linkTitle(locale, link),
      body: linkBody(locale, {
        purpose,
        email,
        problem: refusal && linkProblem(locale, refusal),
        wrong: refusal ? refusedFields(refusal) : [],
        guide: isSetup ? firstGuide('account', null) : null,
      }),
    }))
    hideAddress(set)
    return page
  }
  return new Elysia()
    .get(
      '/dashboard/link/:token',
      async ({ params, request, set }) => {
        limit(request)
        const link = await readLink(context, params.token)
        return show(request, set, link, link.user?.email ?? '', null)
      },
      { ...isPublic, params: LinkParams },
    )
    .post(
      '/dashboard/link/:token',
      async ({ body, params, redirect, request, set }) => {
        limit(request)
        const link = await readLink(context, params.token)
        const given = { email: body.email ?? '', password: body.password ?? '' }
        let entered: Entered | null = null
        const refusal = await refusalOf(async () => {
          entered = await redeemLink(
            unsigned(context, request),
            params.token,
            given,
            browserOf(deps, request),
          )
        })
        if (entered) return redirect(enteredPath(set, dashboardUrl, entered, '/dashboard'), 303)
        set.status = refusal?.status ?? 400
        return show(request, set, link, link.user?.email ?? given.email, refusal)
      },
      { ...isPublic, params: LinkParams, body: LinkForm },
    )
}

/** What everybody who is signed in can do: show another shop, and sign out. */
export const visitRoutes = ({ context }: DashboardDeps) =>
  new Elysia()
    .post(
      '/dashboard/shop',
      async ({ body, redirect, request }) => {
        await chooseShop(context, await personOf(context, request), body.merchantId)
        return redirect('/dashboard', 303)
      },
      { ...requirePerson(context, 'person'), body: ShopForm },
    )
    .post(
      '/dashboard/sign-out',
      async ({ redirect, request, set }) => {
        await signOut(context, await personOf(context, request))
        Object.assign(set.headers, noLoginCookie(context.policy.dashboardUrl))
        return redirect('/dashboard/sign-in', 303)
      },
      requirePerson(context, 'person'),
    )
