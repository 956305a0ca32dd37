import { Elysia } from 'elysia'
import { overviewBody } from '../../../views/dashboard/overview.ts'
import { personOf, requirePerson } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage } from './page.ts'

export const overviewPage = (deps: DashboardDeps) =>
  new Elysia().get(
    '/dashboard',
    async ({ request, set }) => {
      const { merchant } = await personOf(deps.context, request)
      return renderPage(deps, request, set, locale => ({
        title: locale.texts.overview.title,
        body: overviewBody(locale, { shop: merchant }),
      }))
    },
    requirePerson(deps.context, 'person'),
  )
