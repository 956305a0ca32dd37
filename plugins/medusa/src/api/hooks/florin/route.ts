import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import { ContainerRegistrationKeys } from '@medusajs/framework/utils'
import { optionsOf, shopOf } from '../../../medusa.ts'
import { messageOf, settle } from '../../../settle.ts'
import { eventOf } from '../../../webhook.ts'

/**
 * Takes the events of Florin. It answers with 200 once everything is stored, because Florin delivers an event
 * again after any other answer, or without one.
 */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { webhookSecret } = optionsOf(request.scope)
  const rawData = (request.rawBody as Buffer | undefined) ?? ''
  const event = await eventOf({ rawData, headers: request.headers }, webhookSecret)
  if (!event) {
    response.status(401).json({ message: 'This request is not signed by Florin, or it is too old.' })
    return
  }
  try {
    if (event.type === 'order.paid') await settle(shopOf(request.scope), event)
    response.sendStatus(200)
  } catch (error) {
    const logger = request.scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(
      `Florin: event ${event.id} could not be processed, and is delivered again. ${messageOf(error)}`,
    )
    response.status(500).json({ message: 'The event could not be processed now.' })
  }
}
