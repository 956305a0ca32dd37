export const eventTypes = [
  'order.paid',
  'payment.created',
  'payment.processing',
  'payment.paid',
  'payment.failed',
  'payment.expired',
] as const
export type EventType = (typeof eventTypes)[number]

export interface Webhook {
  id: string
  merchantId: string
  url: string
  events: EventType[]
  status: 'active' | 'disabled'
  secret: string
  /** the previous secret, which also signs deliveries until `previousSecretUntil` */
  previousSecret: string | null
  previousSecretUntil: number | null
  /** the first failure since the last successful delivery; null after a success */
  failingSince: number | null
  /** failed deliveries since then */
  failures: number
  /** how many times the merchant was notified of these failures */
  alerts: number
  createdAt: number
  updatedAt: number
}

const DAY_MS = 24 * 3600_000
const DISABLE_AFTER_MS = 5 * DAY_MS
const DISABLE_AFTER_FAILURES = 20

/** Whether deliveries have failed for so long that the webhook is disabled. */
export const shouldDisable = (webhook: Webhook, now: number): boolean =>
  webhook.failingSince !== null &&
  now - webhook.failingSince >= DISABLE_AFTER_MS &&
  webhook.failures >= DISABLE_AFTER_FAILURES

/** How long after the first failure the merchant is notified, for each notification. */
const alertsAfterMs = [3600_000, DAY_MS]

/** When the merchant is to be notified of a failing webhook; null if no notification is left. */
export function nextAlertAt({ failingSince, alerts }: Webhook): number | null {
  const after = alertsAfterMs[alerts]
  return failingSince === null || after === undefined ? null : failingSince + after
}

/** How many notifications of a failing webhook are due. One that comes late stands for those before it. */
export const alertsDue = ({ failingSince }: Webhook, now: number): number =>
  failingSince === null ? 0 : alertsAfterMs.filter(after => failingSince + after <= now).length

/** A disabled webhook is tried this often. */
export const PROBE_EVERY_MS = DAY_MS

/** After an outage of at least this long, waiting retries are sent at once. */
export const OUTAGE_MS = 3600_000

/** Something that happened to an order or payment. Its body never changes. */
export interface Event {
  id: string
  merchantId: string
  orderId: string
  type: EventType
  body: string
  createdAt: number
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The delivery of an event, with all its tries. */
export interface Delivery {
  eventId: string
  merchantId: string
  status: DeliveryStatus
  /** null while there is no active webhook, and when no try is scheduled */
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
  /** what the merchant’s server answered; missing if it said nothing, and from older tries */
  answer?: DeliveryAnswer
}

/** The beginning of a response, with its control characters replaced by signs. */
export interface DeliveryAnswer {
  /** the content type, as that server named it */
  type: string | null
  body: string
  /** whether the response was longer */
  isCut: boolean
}

/** The answers of this many tries are kept. */
const ANSWERS_KEPT = 5

/** Adds a try, and forgets the answers of old ones. */
export const withTry = (tries: readonly DeliveryTry[], next: DeliveryTry): DeliveryTry[] =>
  [...tries, next].map((one, at) => {
    if (at > tries.length - ANSWERS_KEPT) return one
    const { answer: _, ...rest } = one
    return rest
  })

export type DeliveryOutcome =
  | 'delivered'
  | 'refused'
  | 'timed_out'
  | 'unreachable'
  | 'destination_not_allowed'
  | 'bad_answer'

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
 * When a failed delivery is tried again; null if that would be more than three days after the first try.
 * `chance` is a random number from 0 to 1 that changes the pause by up to a tenth.
 */
export function nextTryAt(tries: number, firstTriedAt: number, now: number, chance: number): number | null {
  const pause = pausesMs[tries - 1] ?? 12 * HOUR_MS
  const at = now + Math.round(pause * (1 - JITTER + 2 * JITTER * chance))
  return at - firstTriedAt > GIVE_UP_AFTER_MS ? null : at
}

/** Whether to wait for a try. One further ahead than any pause was scheduled while the clock was ahead. */
export const isTooEarly = (nextAttemptAt: number, now: number): boolean =>
  nextAttemptAt > now && nextAttemptAt <= now + 12 * HOUR_MS * (1 + JITTER)

export type EventWithDelivery = { event: Event; delivery: Delivery }
