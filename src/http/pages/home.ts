import { Elysia } from 'elysia'
import { homePage } from '../../../views/home.ts'
import { icon } from '../../../views/layout.ts'
import { Refusal } from '../../domain/errors.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../../operations/context.ts'
import type { RouteExtras } from '../extras.ts'
import { wantsPage } from '../request-state.ts'
import { frameOf } from './assets.ts'
import { pageHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'

const WEEK_MS = 7 * 24 * 3600_000

/** The root of the server, and the files that programs look for there. */
export const homePages = ({ clock, policy }: Context, extras: RouteExtras) =>
  new Elysia()
    .get('/', ({ request, set }) => {
      if (!wantsPage(request)) throw new Refusal('not_found')
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
