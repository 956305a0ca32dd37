import {
  defineMiddlewares,
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
} from '@medusajs/framework/http'
import { runAutomatically } from '../automatic.ts'
import { findRow, findSession, PROVIDER_ID } from '../medusa.ts'
import { beforeCompletion } from '../repair.ts'
import { isTotalOf, oneAtATime } from '../settle.ts'

interface SessionBody {
  provider_id?: string
  data?: Record<string, unknown>
}

/**
 * Adds the values that the server knows of the cart to a new payment session. The storefront cannot change
 * them.
 */
async function addCart(request: MedusaRequest, _: MedusaResponse, next: MedusaNextFunction) {
  const body = request.body as SessionBody | undefined
  if (body?.provider_id !== PROVIDER_ID) return next()
  const collection = { payment_collection_id: request.params.id }
  const link = await findRow<{ cart_id: string }>(
    request.scope,
    'cart_payment_collection',
    ['cart_id'],
    collection,
  )
  const cart =
    link && (await findRow<{ email: string | null }>(request.scope, 'cart', ['email'], { id: link.cart_id }))
  body.data = { ...body.data, cart_id: link?.cart_id, email: cart?.email ?? body.data?.email }
  next()
}

interface CartSessions {
  payment_collection?: { payment_sessions?: { id: string; provider_id: string }[] } | null
}

/** Checks, before the storefront makes an order of a cart, that the buyer was asked for the cart's total. */
async function checkCart(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction) {
  const fields = ['payment_collection.payment_sessions.id', 'payment_collection.payment_sessions.provider_id']
  const cart = await findRow<CartSessions>(request.scope, 'cart', fields, { id: request.params.id })
  const sessions = cart?.payment_collection?.payment_sessions ?? []
  const ours = sessions.find(session => session.provider_id === PROVIDER_ID)
  if (!ours) return next()
  await oneAtATime(ours.id, async () => {
    const session = await findSession(request.scope, ours.id)
    if (session && !session.isComplete && !isTotalOf(session)) {
      const message = 'The cart was changed after the payment was started. Start the payment again.'
      response.status(409).json({ type: 'conflict', message })
      return
    }
    await beforeCompletion(request.scope, ours.id)
    await new Promise(resolve => {
      response.once('close', resolve)
      runAutomatically(next)
    })
  })
}

export default defineMiddlewares({
  routes: [
    { method: ['POST'], matcher: '/hooks/florin', bodyParser: { preserveRawBody: true } },
    { method: ['POST'], matcher: '/store/payment-collections/:id/payment-sessions', middlewares: [addCart] },
    { method: ['POST'], matcher: '/store/carts/:id/complete', middlewares: [checkCart] },
  ],
})
