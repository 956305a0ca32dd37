import { Elysia } from 'elysia'
import { accountPages } from './account.ts'
import { dashboardFiles } from './assets.ts'
import { auditPage } from './audit.ts'
import { customerPages } from './customers.ts'
import { deliveryPages } from './deliveries.ts'
import type { DashboardDeps } from './deps.ts'
import { developerPages } from './developers.ts'
import { chainEndpointPages } from './endpoints/chain.ts'
import { endpointListPages } from './endpoints/list.ts'
import { noticePages } from './notices.ts'
import { orderListPages } from './orders/list.ts'
import { newOrderPages } from './orders/new.ts'
import { orderPages } from './orders/order.ts'
import { overviewPage } from './overview.ts'
import { passkeySignIn } from './passkey-sign-in.ts'
import { passkeyForms } from './passkeys.ts'
import { payoutListPage } from './payouts/list.ts'
import { payoutSetUpPages } from './payouts/setup.ts'
import { sweepPage } from './payouts/sweep.ts'
import { peoplePages } from './people.ts'
import { productPages } from './products/pages.ts'
import { reportsPages } from './reports.ts'
import { secondFactorForms } from './second-factor.ts'
import { secondStepPages } from './second-step.ts'
import { settingsPages } from './settings.ts'
import { setupPages } from './setup/pages.ts'
import { linkPages, signInPages, visitRoutes } from './sign-in.ts'
import { unmatchedPages } from './unmatched.ts'
import { webhookPages } from './webhook.ts'

/** The pages for the people of a shop. */
export const dashboard = (deps: DashboardDeps) =>
  new Elysia()
    .use(signInPages(deps))
    .use(secondStepPages(deps))
    .use(linkPages(deps))
    .use(visitRoutes(deps))
    .use(overviewPage(deps))
    .use(reportsPages(deps))
    .use(setupPages(deps))
    .use(developerPages(deps))
    .use(webhookPages(deps))
    .use(deliveryPages(deps))
    .use(auditPage(deps))
    .use(noticePages(deps))
    .use(payoutListPage(deps))
    .use(payoutSetUpPages(deps))
    .use(sweepPage(deps))
    .use(endpointListPages(deps))
    .use(chainEndpointPages(deps))
    .use(settingsPages(deps))
    .use(orderListPages(deps))
    .use(newOrderPages(deps))
    .use(orderPages(deps))
    .use(unmatchedPages(deps))
    .use(productPages(deps))
    .use(customerPages(deps))
    .use(peoplePages(deps))
    .use(accountPages(deps))
    .use(secondFactorForms(deps))
    .use(passkeyForms(deps))
    .use(passkeySignIn(deps))
    .use(dashboardFiles())
