import { type AnyElysia, Elysia } from 'elysia'
import { accountRoutes } from './account.ts'
import { dashboardFiles } from './assets.ts'
import { auditRoutes } from './audit.ts'
import { cardsRoutes } from './cards.ts'
import { connectRoutes } from './connect.ts'
import { counterRoutes } from './counter.ts'
import { customerRoutes } from './customers.ts'
import { deliveryRoutes } from './deliveries.ts'
import type { DashboardDeps } from './deps.ts'
import { developerRoutes } from './developers.ts'
import { chainEndpointRoutes } from './endpoints/chain.ts'
import { endpointListRoutes } from './endpoints/list.ts'
import { forgottenRoutes } from './forgotten.ts'
import { invoiceRoutes } from './invoices.ts'
import type { Route } from './kit.ts'
import { noticeRoutes } from './notices.ts'
import { orderListRoutes } from './orders/list.ts'
import { newOrderRoutes } from './orders/new.ts'
import { orderRoutes } from './orders/order.ts'
import { overviewRoutes } from './overview.ts'
import { dashboardError } from './page.ts'
import { passkeySignInRoutes } from './passkey-sign-in.ts'
import { passkeyRoutes } from './passkeys.ts'
import { payoutListRoutes } from './payouts/list.ts'
import { poolRoutes } from './payouts/pool.ts'
import { payoutSetUpRoutes } from './payouts/setup.ts'
import { sweepRoutes } from './payouts/sweep.ts'
import { peopleRoutes } from './people.ts'
import { productRoutes } from './products/pages.ts'
import { reportRoutes } from './reports.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { secondStepRoutes } from './second-step.ts'
import { serverBackupRoutes } from './server/backups.ts'
import { serverCheckRoutes } from './server/check.ts'
import { serverFigureRoutes } from './server/figures.ts'
import { serverMailRoutes } from './server/mail.ts'
import { serverPeopleRoutes } from './server/people.ts'
import { serverShopRoutes } from './server/shops.ts'
import { settingsRoutes } from './settings.ts'
import { setupRoutes } from './setup/pages.ts'
import { linkRoutes, signInRoutes, visitRoutes } from './sign-in.ts'
import { taxRoutes } from './tax.ts'
import { testOrderRoutes } from './test-orders.ts'
import { unmatchedRoutes } from './unmatched.ts'
import { webhookRoutes } from './webhook.ts'
import { furtherWebhookRoutes } from './webhooks.ts'

/** The routes of the dashboard. The routes of payouts and cards keep drafts, which people confirm later. */
const routesOf = (deps: DashboardDeps): readonly Route[] => [
  ...[signInRoutes, forgottenRoutes, secondStepRoutes, linkRoutes, visitRoutes].flat(),
  ...[overviewRoutes, reportRoutes].flat(),
  ...[setupRoutes, developerRoutes, webhookRoutes, deliveryRoutes, auditRoutes, noticeRoutes].flat(),
  ...[payoutListRoutes, payoutSetUpRoutes(deps), poolRoutes(deps), sweepRoutes].flat(),
  ...[...cardsRoutes(deps), ...connectRoutes, ...furtherWebhookRoutes, ...testOrderRoutes],
  ...[endpointListRoutes, chainEndpointRoutes, settingsRoutes, taxRoutes].flat(),
  ...counterRoutes,
  ...[orderListRoutes, newOrderRoutes, orderRoutes, unmatchedRoutes, productRoutes, customerRoutes].flat(),
  ...[invoiceRoutes, peopleRoutes].flat(),
  ...[serverPeopleRoutes, serverShopRoutes, serverMailRoutes].flat(),
  ...[serverBackupRoutes, serverFigureRoutes, serverCheckRoutes].flat(),
  ...[accountRoutes, secondFactorRoutes, passkeyRoutes, passkeySignInRoutes].flat(),
]

/** The pages for the people of a shop, and their error page. */
export function dashboard(deps: DashboardDeps): {
  routes: AnyElysia
  errorPage: ReturnType<typeof dashboardError>
} {
  const routes = new Elysia().use(dashboardFiles())
  for (const add of routesOf(deps)) add(routes, deps)
  return { routes, errorPage: dashboardError(deps) }
}
