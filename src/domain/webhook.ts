import { isTestShop } from './test-shop.ts'

/** Events about one payment of an order. */
export const paymentEventTypes = [
  'payment.created',
  'payment.processing',
  'payment.paid',
  'payment.failed',
  'payment.expired',
] as const
export type PaymentEventType = (typeof paymentEventTypes)[number]

/** Events about the end of an order that is not paid. */
export const orderEndTypes = ['order.expired', 'order.cancelled', 'order.failed'] as const

export const eventTypes = [
  'order.paid',
  ...paymentEventTypes,
  ...orderEndTypes,
  'refund.recorded',
  'payment.unmatched',
] as const
export type EventType = (typeof eventTypes)[number]

export const isEventType = (type: MessageType): type is EventType => eventTypes.includes(type as EventType)

/** Events of Greenfield, the API of BTCPay Server, for webhooks that plugins for BTCPay Server create. */
export const greenfieldTypes = [
  'InvoiceCreated',
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
] as const
export type GreenfieldType = (typeof greenfieldTypes)[number]

const steps: Partial<Record<string, number>> = {
  InvoiceCreated: 0,
  InvoiceReceivedPayment: 1,
  InvoiceProcessing: 2,
  InvoicePaymentSettled: 3,
  InvoiceExpired: 4,
  InvoiceSettled: 4,
  InvoiceInvalid: 4,
} satisfies Record<GreenfieldType, number>

/** True if a plugin must get an event about an invoice before the other event about the same invoice. */
export const comesBefore = (type: MessageType, other: MessageType): boolean =>
  (steps[type] ?? Number.POSITIVE_INFINITY) < (steps[other] ?? 0)

/**
 * Requests to plugins for the older API of BTCPay Server when the status of an invoice changes. That API
 * calls them instant payment notifications (IPN). A plugin then reads the invoice.
 */
export const ipnTypes = ['ipn.paid', 'ipn.complete', 'ipn.expired', 'ipn.invalid'] as const
type IpnType = (typeof ipnTypes)[number]

export const isIpnType = (type: string): type is IpnType => ipnTypes.includes(type as IpnType)

export type MessageType = EventType | GreenfieldType | IpnType

/** True for the events on which shops ship. They are sent before all others. */
export const isOfPaidOrder = (type: MessageType): boolean =>
  type === 'order.paid' || type === 'InvoiceSettled' || type === 'ipn.complete'

/** The API that defines the body and the signature of a webhook's messages. */
export type WebhookFormat = 'florin' | 'greenfield'

/** The orders whose events a webhook gets: live orders, test orders, or both. */
export const webhookModes = ['live', 'test', 'both'] as const
export type WebhookMode = (typeof webhookModes)[number]

export interface Webhook {
  id: string
  merchantId: string
  /** true for the webhook that PUT /v1/webhook sets; a merchant may have further webhooks */
  isFirst: boolean
  format: WebhookFormat
  /** ID of the API key that created it; null for the first webhook, and if a person created it */
  keyId: string | null
  url: string
  events: MessageType[]
  /** always `live` for the first webhook: a shop must never mistake a test order for a paid order */
  mode: WebhookMode
  status: 'active' | 'disabled'
  secret: string
  /** the previous secret, which also signs deliveries until `previousSecretUntil` */
  previousSecret: string | null
  previousSecretUntil: number | null
  /** first failure since the last successful delivery; null after a success */
  failingSince: number | null
  /** number of failed deliveries since `failingSince` */
  failures: number
  /** number of notifications about these failures */
  alerts: number
  /** earlier events are not sent, unless a person sends one; null if all events are sent */
  sendsFrom: number | null
  createdAt: number
  updatedAt: number
}

/** True for a webhook that gets notifications of BTCPay Server's older API, and nothing else. */
export const isForIpn = ({ events }: Pick<Webhook, 'events'>): boolean => events.some(isIpnType)

/** True if a webhook may get events of this merchant or test shop, if it is subscribed to them. */
export const takesEventsOf = ({ mode }: Webhook, merchantId: string): boolean =>
  mode === 'both' || (mode === 'test') === isTestShop(merchantId)

const DAY_MS = 24 * 3600_000
const DISABLE_AFTER_MS = 5 * DAY_MS
const DISABLE_AFTER_FAILURES = 20

/** True if deliveries have failed for so long that the webhook is disabled. */
export const shouldDisable = (webhook: Webhook, now: number): boolean =>
  webhook.failingSince !== null &&
  now - webhook.failingSince >= DISABLE_AFTER_MS &&
  webhook.failures >= DISABLE_AFTER_FAILURES

/** Times of the notifications, counted from the first failure. */
const alertsAfterMs = [3600_000, DAY_MS]

/** Time of the next notification about a failing webhook; null if there is none left. */
export function nextAlertAt({ failingSince, alerts }: Webhook): number | null {
  const after = alertsAfterMs[alerts]
  return failingSince === null || after === undefined ? null : failingSince + after
}

/**
 * Number of notifications that are due by now. If several are due at once, one notification replaces them
 * all.
 */
export const alertsDue = ({ failingSince }: Webhook, now: number): number =>
  failingSince === null ? 0 : alertsAfterMs.filter(after => failingSince + after <= now).length

/** Interval at which a webhook is tried if it is disabled, or if it failed until its events were given up. */
export const PROBE_EVERY_MS = DAY_MS

/** Max webhooks of a merchant beside the first one. */
export const FURTHER_WEBHOOKS_MAX = 20

/** Something that happened to an order or payment. Its body never changes. */
export interface Event<Type extends MessageType = EventType> {
  id: string
  merchantId: string
  orderId: string
  type: Type
  body: string
  createdAt: number
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** An event's delivery, with all its tries. */
export interface Delivery {
  eventId: string
  merchantId: string
  status: DeliveryStatus
  /** when the next try is due; null if no try is scheduled, or there is no active webhook */
  nextAttemptAt: number | null
  tries: DeliveryTry[]
  firstTriedAt: number | null
  createdAt: number
  updatedAt: number
}

export interface DeliveryTry {
  at: number
  httpStatus: number | null
  outcome: DeliveryOutcome
  durationMs: number
  /** the response; missing if there was none, or if it was dropped */
  answer?: DeliveryAnswer
}

/** The beginning of a response, with control characters replaced. */
export interface DeliveryAnswer {
  /** content type of the response, as the server named it */
  type: string | null
  body: string
  /** true if the response was longer */
  isCut: boolean
}

/** Max stored responses of a delivery. */
const ANSWERS_KEPT = 5

/** Adds a try, and drops the responses of old tries. */
export const withTry = (tries: readonly DeliveryTry[], next: DeliveryTry): DeliveryTry[] =>
  [...tries, next].map((one, at) => {
    if (at > tries.length - ANSWERS_KEPT) return one
    const { answer: _, ...rest } = one
    return rest
  })

export const deliveryOutcomes = [
  'delivered',
  'refused',
  'timed_out',
  'unreachable',
  'destination_not_allowed',
  'bad_answer',
] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const pausesMs = [
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
]
const GIVE_UP_AFTER_MS = 3 * DAY_MS
const JITTER = 0.1

/**
 * When to retry a failed delivery; null if that is more than three days after the first try. `chance`, a
 * random number from 0 to 1, changes the pause by up to 10 %.
 */
export function nextTryAt(tries: number, firstTriedAt: number, now: number, chance: number): number | null {
  const pause = pausesMs[tries - 1] ?? 12 * HOUR_MS
  const at = now + Math.round(pause * (1 - JITTER + 2 * JITTER * chance))
  return at - firstTriedAt > GIVE_UP_AFTER_MS ? null : at
}

/** True if a try is not due yet. Ignores a time that was written while the clock was ahead. */
export const isTooEarly = (
  nextAttemptAt: number,
  { updatedAt }: Pick<Delivery, 'updatedAt'>,
  now: number,
): boolean => nextAttemptAt > now && updatedAt <= now + MINUTE_MS

export type EventWithDelivery = { event: Event; delivery: Delivery }

/** A delivery to a webhook that is not the first one. */
export interface FurtherDelivery extends Delivery {
  id: string
  webhookId: string
  type: MessageType
}

/** An event for any webhook, with its delivery to one of a merchant's webhooks. */
export type MessageWithDelivery = { event: Event<MessageType>; delivery: Delivery & { id?: string } }
