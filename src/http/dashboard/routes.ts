import { Elysia } from 'elysia'
import { dashboardFiles } from './assets.ts'
import type { DashboardDeps } from './deps.ts'
import { overviewPage } from './overview.ts'
import { settingsPages } from './settings.ts'
import { linkPages, signInPages, visitRoutes } from './sign-in.ts'

/** The pages for the people of a shop. */
export const dashboard = (deps: DashboardDeps) =>
  new Elysia()
    .use(signInPages(deps))
    .use(linkPages(deps))
    .use(visitRoutes(deps))
    .use(overviewPage(deps))
    .use(settingsPages(deps))
    .use(dashboardFiles())
