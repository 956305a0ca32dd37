import { type AnyElysia, Elysia } from 'elysia'
import { accountRoutes } from './account.ts'
import { dashboardFiles } from './assets.ts'
import { auditRoutes } from './audit.ts'
import { customerRoutes } from './customers.ts'
import { deliveryRoutes } from './deliveries.ts'
import type { DashboardDeps } from './deps.ts'
import { developerRoutes } from './developers.ts'
import { chainEndpointRoutes } from './endpoints/chain.ts'
import { endpointListRoutes } from './endpoints/list.ts'
import type { Route } from './kit.ts'
import { noticeRoutes } from './notices.ts'
import { orderListRoutes } from './orders/list.ts'
import { newOrderRoutes } from './orders/new.ts'
import { orderRoutes } from './orders/order.ts'
import { overviewRoutes } from './overview.ts'
import { dashboardError } from './page.ts'
import { passkeySignIn } from './passkey-sign-in.ts'
import { passkeyRoutes } from './passkeys.ts'
import { payoutListRoutes } from './payouts/list.ts'
import { poolRoutes } from './payouts/pool.ts'
import { payoutSetUpRoutes } from './payouts/setup.ts'
import { sweepRoutes } from './payouts/sweep.ts'
import { peopleRoutes } from './people.ts'
import { productRoutes } from './products/pages.ts'
import { reportRoutes } from './reports.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { secondStepPages } from './second-step.ts'
import { serverRoutes } from './server.ts'
import { settingsRoutes } from './settings.ts'
import { setupRoutes } from './setup/pages.ts'
import { linkPages, signInPages, visitRoutes } from './sign-in.ts'
import { unmatchedRoutes } from './unmatched.ts'
import { webhookRoutes } from './webhook.ts'

const pages: readonly ((deps: DashboardDeps) => AnyElysia)[] = [
  signInPages,
  secondStepPages,
  linkPages,
  visitRoutes,
  passkeySignIn,
  dashboardFiles,
]

/** Declared routes. Some share what people work on. */
const declared: readonly (readonly Route[] | ((deps: DashboardDeps) => readonly Route[]))[] = [
  peopleRoutes,
  accountRoutes,
  secondFactorRoutes,
  passkeyRoutes,
  auditRoutes,
  noticeRoutes,
  customerRoutes,
  deliveryRoutes,
  developerRoutes,
  webhookRoutes,
  endpointListRoutes,
  chainEndpointRoutes,
  serverRoutes,
  settingsRoutes,
  reportRoutes,
  overviewRoutes,
  orderListRoutes,
  newOrderRoutes,
  productRoutes,
  orderRoutes,
  unmatchedRoutes,
  payoutListRoutes,
  payoutSetUpRoutes,
  poolRoutes,
  sweepRoutes,
  setupRoutes,
]

/**
 * The pages for the people of a shop, and the page of an error there. Nothing uses the types of all their
 * routes together, which are more than the compiler takes.
 */
export function dashboard(deps: DashboardDeps) {
  const routes = new Elysia()
  for (const some of declared)
    for (const add of typeof some === 'function' ? some(deps) : some) add(routes, deps)
  for (const page of pages) (routes as AnyElysia).use(page(deps))
  return { routes, errorPage: dashboardError(deps) }
}
