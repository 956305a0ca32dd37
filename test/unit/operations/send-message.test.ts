import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Webhook } from '../../../src/domain/webhook.ts'
import { type SendContext, sendMessage } from '../../../src/operations/webhooks/steps/send.ts'

const NOW = 1_000_000_999
const signed = (secret: string): string =>
  createHmac('sha256', secret).update('1000000.{}').digest('base64url')

async function headersAt(now: number, webhook: Partial<Webhook>): Promise<Record<string, string>> {
  let sent: Record<string, string> = {}
  const post = async (_: string, headers: Record<string, string>) => {
    sent = headers
    return { httpStatus: 200, outcome: 'delivered' as const, durationMs: 1 }
  }
  const context = { outbound: { webhook: { post } }, clock: () => now, realClock: () => NOW }
  const message = { id: 'event', type: 'order.paid', body: '{}', deliveryId: 'event', isRepeated: false }
  const given = { url: 'https://shop.example/', secret: 'new', previousSecret: 'old', ...webhook }
  await sendMessage(context as unknown as SendContext, given as Webhook, message)
  return sent
}

test.each<[sentence: string, now: number, webhook: Partial<Webhook>, previous: string | undefined]>([
  ['until the overlap ends', 499, { previousSecretUntil: 500 }, signed('old')],
  ['not from its end on', 500, { previousSecretUntil: 500 }, undefined],
  ['not without an overlap', 0, { previousSecretUntil: null }, undefined],
  ['not if there is none', 0, { previousSecret: null, previousSecretUntil: 500 }, undefined],
])('the previous secret signs %s, and the current secret always signs', async (_, now, webhook, previous) => {
  const headers = await headersAt(now, webhook)
  expect(headers['X-Service-Timestamp']).toBe('1000000')
  expect(headers['X-Service-Signature']).toBe(signed('new'))
  expect(headers['X-Service-Signature-Previous']).toBe(previous!)
})
