import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { notificationKinds } from '../../domain/notification-kind.ts'
import {
  changeChannel,
  confirmChannel,
  type Owner,
  removeChannel,
  sendCode,
  testChannel,
} from '../../operations/channels/manage.ts'
import { requirePerson, type ShopVisit, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { chosen, FormFields } from './fields.ts'
import type { Settable } from './page.ts'
import { problemText, refusalOf } from './problem.ts'

const PATH = '/dashboard/notices'
const text = Type.Optional(Type.String({ maxLength: 200 }))
const Params = Type.Object({ id: Type.String({ maxLength: 36 }) })
const Query = Type.Object({ done: text, lang: text })

type Show = (
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  id: string,
  shownIn?: (locale: DashboardLocale) => {
    good?: string | null
    problem?: string | null
    codeProblem?: string | null
  },
) => Promise<string>

/** What was done, as the URL of the next page says it. */
const goodText = ({ texts: { notices } }: DashboardLocale, done: string | undefined): string | null =>
  ({ saved: notices.saved, verified: notices.verified, code: notices.codeSent, test: notices.testGood })[
    done ?? ''
  ] ?? null

/** What can be done with one channel. */
export const channelRoutes = (deps: DashboardDeps, ownerOf: (shop: ShopVisit) => Owner, show: Show) => {
  const { context } = deps
  const isViewer = { ...requirePerson(context, 'viewer'), params: Params }
  return new Elysia()
    .get(
      `${PATH}/:id`,
      ({ params, query, request, set }) =>
        show(deps, request, set, params.id, locale => ({ good: goodText(locale, query.done) })),
      { ...isViewer, query: Query },
    )
    .post(
      `${PATH}/:id`,
      async ({ body, params, redirect, request }) => {
        const shop = await shopOf(context, request)
        const wanted = chosen(body, 'kind')
        await changeChannel(shop.context, ownerOf(shop), params.id, {
          muted: notificationKinds.filter(kind => !wanted.includes(kind)),
          digestHour: body.digest ? Number(body.digest) : null,
        })
        return redirect(`${PATH}/${params.id}?done=saved`, 303)
      },
      { ...isViewer, body: FormFields },
    )
    .post(
      `${PATH}/:id/code`,
      async ({ body, params, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const outcome = await confirmChannel(shop.context, ownerOf(shop), params.id, body.code ?? '')
        if (outcome === 'verified') return redirect(`${PATH}/${params.id}?done=verified`, 303)
        set.status = 400
        return show(deps, request, set, params.id, ({ texts: { notices } }) => ({
          codeProblem: outcome === 'wrong' ? notices.codeWrong : notices.codeExpired,
        }))
      },
      { ...isViewer, body: FormFields },
    )
    .post(
      `${PATH}/:id/remove`,
      async ({ params, redirect, request }) => {
        const shop = await shopOf(context, request)
        await removeChannel(shop.context, ownerOf(shop), params.id)
        return redirect(`${PATH}?removed`, 303)
      },
      isViewer,
    )
    .use(sendRoutes(deps, ownerOf, show))
}

/** The messages that a person sends to a channel of theirs. */
const sendRoutes = (deps: DashboardDeps, ownerOf: (shop: ShopVisit) => Owner, show: Show) => {
  const { context } = deps
  const isViewer = { ...requirePerson(context, 'viewer'), params: Params }
  const routeOf = (
    path: string,
    send: typeof sendCode,
    done: string,
    faultText: (locale: DashboardLocale, reason: string) => string,
  ) =>
    new Elysia().post(
      path,
      async ({ params, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        let fault: string | null = null
        const refusal = await refusalOf(async () => {
          fault = await send(shop.context, ownerOf(shop), params.id)
        })
        if (!refusal && fault === null) return redirect(`${PATH}/${params.id}?done=${done}`, 303)
        if (refusal) set.status = refusal.status
        return show(deps, request, set, params.id, locale => ({
          problem: refusal ? problemText(locale, refusal) : faultText(locale, fault ?? ''),
        }))
      },
      isViewer,
    )
  return new Elysia()
    .use(
      routeOf(`${PATH}/:id/code/again`, sendCode, 'code', ({ texts: { notices } }, reason) =>
        notices.codeFault({ reason }),
      ),
    )
    .use(
      routeOf(`${PATH}/:id/test`, testChannel, 'test', ({ texts: { notices } }, reason) =>
        notices.testFault({ reason }),
      ),
    )
}
