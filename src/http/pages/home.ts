import { Elysia } from 'elysia'
import { homePage } from '../../../views/home.ts'
import { icon } from '../../../views/layout.ts'
import { Refusal } from '../../domain/errors.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../../operations/context.ts'
import { listMerchants } from '../../operations/merchants/read.ts'
import { hasUsers } from '../../operations/people/read.ts'
import type { RouteExtras } from '../extras.ts'
import { wantsPage } from '../request-state.ts'
import { frameOf } from './assets.ts'
import { pageHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'

const WEEK_MS = 7 * 24 * 3600_000

/** The page at the root of the server, and the files that programs look for there. */
export function homePages({ clock, policy, storage }: Context, extras: RouteExtras) {
  // Users and merchants are never deleted, so the database is queried only until it has one. If the dashboard
  // has a host of its own, buyers are never sent there.
  let isInUse = policy.dashboardUrl !== policy.checkoutUrl
  return new Elysia()
    .get('/', async ({ redirect, request, set }) => {
      if (!wantsPage(request)) throw new Refusal('not_found')
      isInUse ||= (await hasUsers({ storage })) || (await listMerchants({ storage })).length > 0
      if (!isInUse) return redirect('/dashboard/sign-in', 303)
      const locale = localeOf(request)
      const cookie = languageCookie(request, policy.checkoutUrl)
      Object.assign(set.headers, pageHeaders, languageHeaders(locale), cookie)
      return homePage(locale, frameOf(extras), policy.checkoutUrl)
    })
    .get('/favicon.ico', ({ set }) => {
      set.headers['content-type'] = 'image/svg+xml'
      set.headers['cache-control'] = 'public, max-age=86400'
      return icon
    })
    .get('/.well-known/security.txt', ({ set }) => {
      const { securityContact } = extras
      if (securityContact === '') throw new Refusal('not_found')
      set.headers['content-type'] = 'text/plain; charset=utf-8'
      const expires = formatTimestamp(clock() + WEEK_MS)
      return `Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`
    })
}
