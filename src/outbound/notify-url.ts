import { createHmac } from 'node:crypto'
import { cutText } from '../domain/cut-text.ts'
import type { NotifyTarget } from '../domain/notify-target.ts'
import type { Channel, Message, Outbound } from './port.ts'

/** The longest text that is sent. Services truncate or refuse longer texts. */
const TEXT_MAX = 3500

interface NotifyOptions {
  target: NotifyTarget
  /** the signing secret of `https`, or the access token of the other services; empty if there is none */
  secret: string
  outbound: Pick<Outbound, 'post'>
  /** milliseconds since 1970 UTC */
  clock(): number
}

interface Post {
  url: string
  headers: Record<string, string>
  body: object
}

const shortText = ({ text }: Message): string =>
  text.length > TEXT_MAX ? `${cutText(text, TEXT_MAX)}…` : text

const posts: Record<NotifyTarget['name'], (message: Message, options: NotifyOptions) => Post> = {
  https: ({ id, items, more }, { target, clock }) => ({
    url: target.url,
    headers: { 'X-Service-Event': 'notification', 'X-Service-Event-Id': id },
    body: { id, type: 'notification', createdAt: new Date(clock()).toISOString(), items, more },
  }),
  ntfy: (message, { target, secret }) => ({
    url: target.url,
    headers: secret === '' ? {} : { Authorization: `Bearer ${secret}` },
    body: { topic: target.topic, title: message.subject, message: shortText(message) },
  }),
  telegram: (message, { target, secret }) => ({
    url: `${target.url}/bot${secret}/sendMessage`,
    headers: {},
    body: { chat_id: target.topic, text: `${message.subject}\n\n${shortText(message)}` },
  }),
}

/** Signs like an `order.paid` event, with the secret of the target. */
function signatureOf(secret: string, body: string, now: number): Record<string, string> {
  const timestamp = Math.floor(now / 1000).toString()
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')
  return { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature }
}

/** Posts messages to a URL of the operator or of a person: signed JSON, or through ntfy or Telegram. */
export const makeNotifyUrl = (options: NotifyOptions): Channel => ({
  name: options.target.name,
  async send(message) {
    const { url, headers, body } = posts[options.target.name](message, options)
    const json = JSON.stringify(body)
    const signature =
      options.target.name === 'https' ? signatureOf(options.secret, json, options.clock()) : {}
    const all = { 'Content-Type': 'application/json', ...headers, ...signature }
    const { outcome, httpStatus } = await options.outbound.post(url, all, json)
    if (outcome === 'delivered') return null
    return httpStatus === null ? outcome : `${outcome} (status ${httpStatus})`
  },
})
