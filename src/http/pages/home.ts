import { Elysia } from 'elysia'
import { homePage } from '../../../views/home.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { wantsPage } from '../request-state.ts'
import { assetPaths } from './assets.ts'
import { pageHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'

/** The root of the server says what it is. Programs find nothing there. */
export const home = (context: Context, isSandbox: boolean) =>
  new Elysia().get('/', ({ request, set }) => {
    if (!wantsPage(request)) throw new Refusal('not_found')
    const locale = localeOf(request)
    const cookie = languageCookie(request, context.policy.checkoutUrl)
    Object.assign(set.headers, pageHeaders, languageHeaders(locale), cookie)
    return homePage(locale, { assets: assetPaths, isSandbox })
  })
