import type { MedusaContainer } from '@medusajs/framework/types'
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils'
import { clientOf, type FlorinOptions } from './options.ts'
import { Payments } from './payments.ts'
import { removeUnfinished, removeUnfinishedRefunds } from './repair.ts'
import type { Notice, Session, Shop } from './settle.ts'

const PROVIDER = 'florin'
/** The ID in Medusa of the provider that has the ID `florin` in the configuration. */
export const PROVIDER_ID = `pp_florin_${PROVIDER}`
/** Time to wait while a cart becomes an order. Florin waits ten seconds for the answer. */
const LOCK_SECONDS = 5

interface ProviderEntry {
  id?: string
  options?: FlorinOptions
}

/** The options of the provider in medusa-config. */
export function optionsOf(container: MedusaContainer): FlorinOptions {
  const { modules } = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
  const payment = modules?.[Modules.PAYMENT]
  const given =
    typeof payment === 'object' ? (payment as { options?: { providers?: ProviderEntry[] } }) : null
  const found = given?.options?.providers?.find(({ id }) => id === PROVIDER)
  if (!found?.options) throw new Error(`medusa-config has no payment provider with the ID ${PROVIDER}.`)
  return found.options
}

export function paymentsOf(container: MedusaContainer): Payments {
  const options = optionsOf(container)
  return new Payments(clientOf(options), options)
}

const SESSION_FIELDS = [
  ...['id', 'provider_id', 'raw_amount', 'currency_code', 'data', 'created_at', 'payment_collection_id'],
  ...['payment.id', 'payment.data', 'payment.captured_at', 'payment.captures.id'],
  ...['payment.refunds.id', 'payment.refunds.raw_amount'],
]

interface SessionRow {
  id: string
  provider_id: string
  raw_amount: unknown
  currency_code: string
  data: Record<string, unknown> | null
  created_at: string | Date
  payment_collection_id: string
  payment?: {
    id: string
    data: Record<string, unknown> | null
    captured_at: unknown
    captures?: { id: string }[]
    refunds?: { id: string; raw_amount: unknown }[]
  } | null
}

export interface CartRow {
  id: string
  email: string
  raw_total: unknown
  currency_code: string
  metadata: Record<string, unknown> | null
}

/** A session with the values that `repair.ts` needs. */
export interface OpenSession extends Session {
  cartRow: CartRow | null
  orderId: string | null
  captureIds: string[]
  createdAt: Date
  paymentCollectionId: string
}

/** The first row of a query. `T` is the shape of a row with these fields. */
export async function findRow<T>(
  container: MedusaContainer,
  entity: string,
  fields: string[],
  filters: Record<string, unknown>,
): Promise<T | null> {
  return (await findRows<T>(container, entity, fields, filters))[0] ?? null
}

export async function findRows<T>(
  container: MedusaContainer,
  entity: string,
  fields: string[],
  filters: Record<string, unknown>,
): Promise<T[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity, fields, filters } as Parameters<typeof query.graph>[0])
  return data as T[]
}

const isTransactionOf = async (container: MedusaContainer, orderId: string, captureIds: string[]) =>
  captureIds.length > 0 &&
  (
    await container
      .resolve(Modules.ORDER)
      .listOrderTransactions({ order_id: orderId, reference: 'capture', reference_id: captureIds })
  ).length > 0

export async function findSession(container: MedusaContainer, id: string): Promise<OpenSession | null> {
  const row = await findRow<SessionRow>(container, 'payment_session', SESSION_FIELDS, { id })
  if (row?.provider_id !== PROVIDER_ID) return null
  const collection = { payment_collection_id: row.payment_collection_id }
  const link = await findRow<{ cart_id: string }>(
    container,
    'cart_payment_collection',
    ['cart_id'],
    collection,
  )
  const fields = ['id', 'email', 'total', 'raw_total', 'currency_code', 'metadata']
  const cart = link && (await findRow<CartRow>(container, 'cart', fields, { id: link.cart_id }))
  const order =
    cart && (await findRow<{ order_id: string }>(container, 'order_cart', ['order_id'], { cart_id: cart.id }))
  const captureIds = (row.payment?.captures ?? []).map(capture => capture.id)
  const orderId = order?.order_id ?? null
  const isOrdered = !cart || (orderId !== null && (await isTransactionOf(container, orderId, captureIds)))
  return {
    id: row.id,
    amount: row.raw_amount,
    currency: row.currency_code,
    data: row.data ?? {},
    cart: cart && { id: cart.id, total: cart.raw_total, currency: cart.currency_code },
    payment: row.payment
      ? {
          id: row.payment.id,
          data: row.payment.data ?? {},
          refunds: (row.payment.refunds ?? []).map(refund => ({ id: refund.id, amount: refund.raw_amount })),
        }
      : null,
    isComplete: Boolean(row.payment?.captured_at) && isOrdered,
    ...{ cartRow: cart, orderId, captureIds, paymentCollectionId: row.payment_collection_id },
    createdAt: new Date(row.created_at),
  }
}

const notified = new Set<string>()

async function notify(container: MedusaContainer, { id, title, text }: Notice): Promise<void> {
  if (notified.has(id)) return
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  logger.error(`Florin: ${title}. ${text}`)
  const data = { title, description: text }
  try {
    await container
      .resolve(Modules.NOTIFICATION)
      .createNotifications({ to: '', channel: 'feed', template: 'admin-ui', data, idempotency_key: id })
  } catch (error) {
    // The shop has no provider for notifications in the admin. The log has the notice.
    logger.warn(`Florin: the admin shows no notification. ${error}`)
  }
  notified.add(id)
}

async function complete(container: MedusaContainer, { id }: Session): Promise<void> {
  const found = await findSession(container, id)
  if (!found || found.isComplete) return
  if (found.cart) {
    const locking = container.resolve(Modules.LOCKING)
    await locking.execute(found.cart.id, () => removeUnfinished(container, id), { timeout: LOCK_SECONDS })
  }
  const engine = container.resolve(Modules.WORKFLOW_ENGINE)
  const input = { action: 'captured', data: { session_id: id, amount: found.amount } }
  await engine.run('process-payment-workflow', { input })
  if ((await findSession(container, id))?.isComplete) return
  // The workflow above does not say why a cart cannot become an order. This one throws the reason.
  if (found.cart) await engine.run('complete-cart', { input: { id: found.cart.id } })
  if (!(await findSession(container, id))?.isComplete)
    throw new Error(`Payment session ${id} is paid but not complete.`)
}

/** The part of Medusa that the plugin uses. */
export const shopOf = (container: MedusaContainer): Shop => ({
  findSession: id => findSession(container, id),
  complete: session => complete(container, session),
  async refund(paymentId, amount, note) {
    const input = { payment_id: paymentId, amount, note }
    await container.resolve(Modules.WORKFLOW_ENGINE).run('refund-payment-workflow', { input })
  },
  removeUnfinishedRefunds: () => removeUnfinishedRefunds(container),
  notify: notice => notify(container, notice),
})
