import { createHmac } from 'node:crypto'
import type { CallFact, DeliverySaying, Fact, Judge, LogSaying, Saying } from './facts.ts'

/** Log events about an upstream or a chain, which are no fault of the server. */
const expected = new Set(['payment.reorganised'])

/**
 * True for an error that the server must not return. Status 502 is allowed: it reports that an endpoint or a
 * source of prices cannot be used.
 */
const isFault = (status: number): boolean => status >= 500 && status !== 502

/**
 * Checks rules that need no amounts: there are no unexpected errors, no data of another shop, and no false
 * events.
 */
export function simpleJudge(): Judge {
  const problems: string[] = []
  const secrets = new Map<number, string>()
  const paidEvents = new Map<string, string>()
  const bodies = new Map<string, string>()

  function checkCall({ method, path, status, by }: CallFact): void {
    const what = `${method} ${path} of ${by.key}`
    if (status !== null && isFault(status)) problems.push(`${what} answers ${status}`)
    const isOut = by.key === 'none' || by.key === 'invented' || by.key === 'revoked'
    if (isOut && !path.startsWith('/v1/checkout/') && status !== null && status !== 401)
      problems.push(`${what} answers ${status}`)
    if (by.key === 'read' && method !== 'GET' && status !== null && status !== 403)
      problems.push(`${what} answers ${status}`)
  }

  function checkDelivery({ shop, headers, body }: DeliverySaying): void {
    const secret = secrets.get(shop)
    const text = `${headers['x-service-timestamp']}.${body}`
    const signature = secret && createHmac('sha256', secret).update(text).digest('base64url')
    const id = headers['x-service-event-id'] ?? ''
    if (signature && signature !== headers['x-service-signature'])
      problems.push(`event ${id} is signed wrongly`)
    const known = bodies.get(id)
    if (known !== undefined && known !== body) problems.push(`event ${id} is sent with two bodies`)
    bodies.set(id, body)
    if (headers['x-service-event'] !== 'order.paid') return
    const order: string = JSON.parse(body).orderUUID
    const event = paidEvents.get(order)
    if (event !== undefined && event !== id) problems.push(`order ${order} has two order.paid events`)
    paidEvents.set(order, id)
  }

  function checkLog({ level, event, fields }: LogSaying): void {
    if (level === 'error' && !expected.has(event))
      problems.push(`the log says ${event}: ${JSON.stringify(fields).slice(0, 500)}`)
  }

  return {
    note(fact: Fact) {
      if (fact.fact === 'shop' && fact.webhook) secrets.set(fact.shop, fact.webhook.secret)
      if (fact.fact === 'call') checkCall(fact)
      if ('status' in fact && fact.fact !== 'call' && fact.status !== null && isFault(fact.status))
        problems.push(`${fact.fact} is answered with ${fact.status}`)
    },
    hear(saying: Saying) {
      if (saying.says === 'delivery') checkDelivery(saying)
      if (saying.says === 'log') checkLog(saying)
      if ((saying.says === 'page' || saying.says === 'dashboard') && saying.status >= 500)
        problems.push(`a page answers ${saying.status}`)
    },
    judge: () => problems,
    judgeEnd: () => problems,
  }
}
