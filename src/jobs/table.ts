import type { JobKind, JobPriority } from '../domain/job.ts'
import type { Recipient } from '../domain/notification.ts'
import { readSweepTransactions } from '../operations/addresses/sweep-transactions.ts'
import { watchFunds } from '../operations/addresses/watch-funds.ts'
import { watchLightning } from '../operations/addresses/watch-lightning.ts'
import { watchSkipped } from '../operations/addresses/watch-skipped.ts'
import { sendDigest } from '../operations/channels/digest.ts'
import type { Context } from '../operations/context.ts'
import { lookElsewhere } from '../operations/elsewhere/look.ts'
import { sendBuyerMail } from '../operations/mails/send.ts'
import { sendPaymentMail } from '../operations/mails/send-payment-mail.ts'
import { addressNotifications } from '../operations/notices/address.ts'
import { sendNotifications } from '../operations/notices/send.ts'
import { expireOrder } from '../operations/orders/end.ts'
import { watchPayable } from '../operations/overview/watch-payable.ts'
import { checkAttempts } from '../operations/payments/check-attempts.ts'
import { findReversals } from '../operations/refunds/find-reversals.ts'
import { sendRefund } from '../operations/refunds/send.ts'
import { applyRetention } from '../operations/retention/apply.ts'
import { refreshCatalogue, refreshRates } from '../operations/upstreams/refresh.ts'
import { watchServices } from '../operations/upstreams/watch.ts'
import { type DeliveryOutcome, deliverEvent, deliverFurther } from '../operations/webhooks/deliver.ts'
import { repeatedPriority } from '../operations/webhooks/steps/schedule-delivery.ts'
import { watchFurther, watchWebhook } from '../operations/webhooks/watch.ts'

/** The result of a job: when it is due again, null if it is done, or a delivery, which the loop records. */
export type Result = number | null | DeliveryOutcome

interface Row {
  /** number of concurrent jobs in a lane; `adaptive` depends on their speed and failures */
  concurrency: number | 'adaptive'
  /** the priority of a job that is due again */
  repeatedPriority?(before: JobPriority): JobPriority
  /** Runs jobs of one lane. Must be repeatable: the same job may run twice. */
  run(context: Context, subjects: string[]): Promise<ReadonlyMap<string, Result>>
  /** true if one call runs all due jobs of a lane */
  batched: boolean
  /** true if the job only asks upstreams: it can be interrupted, and runs again after the next start */
  isLookup?: true
}

const each =
  (run: (context: Context, subject: string) => Promise<Result>) =>
  async (context: Context, subjects: string[]): Promise<ReadonlyMap<string, Result>> =>
    new Map(await Promise.all(subjects.map(async subject => [subject, await run(context, subject)] as const)))

export const table: Record<JobKind, Row> = {
  'order.expire': { concurrency: 64, batched: false, run: each(expireOrder) },
  'attempt.check': { concurrency: 500, batched: true, isLookup: true, run: checkAttempts },
  'elsewhere.look': { concurrency: 500, batched: true, isLookup: true, run: lookElsewhere },
  'event.deliver': {
    concurrency: 'adaptive',
    repeatedPriority,
    batched: false,
    run: each(deliverEvent),
  },
  'further.deliver': {
    concurrency: 'adaptive',
    repeatedPriority,
    batched: false,
    run: each(deliverFurther),
  },
  'webhook.watch': { concurrency: 1, batched: false, run: each(watchWebhook) },
  'further.watch': { concurrency: 1, batched: false, run: each(watchFurther) },
  'catalogue.refresh': { concurrency: 1, batched: false, isLookup: true, run: each(refreshCatalogue) },
  'rates.refresh': { concurrency: 1, batched: false, isLookup: true, run: each(refreshRates) },
  'skipped.watch': { concurrency: 1, batched: false, isLookup: true, run: each(watchSkipped) },
  'lightning.watch': { concurrency: 1, batched: false, isLookup: true, run: each(watchLightning) },
  'funds.watch': { concurrency: 1, batched: false, isLookup: true, run: each(watchFunds) },
  'sweeps.read': { concurrency: 1, batched: false, isLookup: true, run: each(readSweepTransactions) },
  'services.watch': { concurrency: 1, batched: false, isLookup: true, run: each(watchServices) },
  'payable.watch': { concurrency: 1, batched: false, isLookup: true, run: each(watchPayable) },
  'notification.address': { concurrency: 1, batched: false, run: each(addressNotifications) },
  'notification.send': {
    concurrency: 2,
    batched: false,
    run: each((context, recipient) => sendNotifications(context, recipient as Recipient)),
  },
  'buyer_mail.send': { concurrency: 2, batched: false, run: each(sendBuyerMail) },
  'payment_mail.send': { concurrency: 2, batched: false, run: each(sendPaymentMail) },
  'channel.digest': { concurrency: 2, batched: false, run: each(sendDigest) },
  'refund.send': { concurrency: 4, batched: false, run: each(sendRefund) },
  'reversals.find': { concurrency: 1, batched: false, isLookup: true, run: each(findReversals) },
  'retention.apply': { concurrency: 1, batched: false, run: each(applyRetention) },
}
