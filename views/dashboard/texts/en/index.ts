import { account } from './account.ts'
import { audit } from './audit.ts'
import { consequences } from './consequences.ts'
import { customers } from './customers.ts'
import { deliveries } from './deliveries.ts'
import { developers } from './developers.ts'
import { endpoints } from './endpoints.ts'
import { errors } from './errors.ts'
import { frame } from './frame.ts'
import { letters } from './letters.ts'
import { messages } from './messages.ts'
import { notices } from './notices.ts'
import { order, timeline } from './order.ts'
import { newOrder, orders } from './orders.ts'
import { overview } from './overview.ts'
import { passkeys } from './passkeys.ts'
import { payouts } from './payouts.ts'
import { people } from './people.ts'
import { pool } from './pool.ts'
import { products } from './products.ts'
import { reports } from './reports.ts'
import { secondFactor } from './second-factor.ts'
import { server } from './server.ts'
import { serviceMessages } from './service-messages.ts'
import { settings } from './settings.ts'
import { setup } from './setup.ts'
import { signIn } from './sign-in.ts'
import { sweep } from './sweep.ts'
import { unmatched } from './unmatched.ts'
import { upstreamFaults } from './upstream-faults.ts'
import { walletFaults } from './wallet-faults.ts'
import { webhook } from './webhook.ts'

export const en = {
  account,
  audit,
  consequences,
  customers,
  deliveries,
  developers,
  endpoints,
  errors,
  frame,
  letters,
  messages,
  notices,
  order,
  timeline,
  newOrder,
  orders,
  overview,
  passkeys,
  payouts,
  people,
  pool,
  products,
  reports,
  secondFactor,
  server,
  serviceMessages,
  settings,
  setup,
  signIn,
  sweep,
  unmatched,
  upstreamFaults,
  walletFaults,
  webhook,
}
