import { edit, type Fault, fault } from './fault.ts'

/** Faults in events and their deliveries. */
export const eventFaults: Fault[] = [
  fault(
    'late-release',
    'events wait for their own next try when the endpoint works again, unless it was away for an hour',
    edit(
      'operations/webhooks/steps/count-outcome.ts',
      'if (failingSince === null) await releaseParked',
      'if (failingSince === null || now - failingSince < 3600_000) await releaseParked',
    ),
  ),
  fault(
    'quiet-shop-forgotten',
    'an endpoint without new events is not tried again after three days',
    edit(
      'operations/webhooks/watch.ts',
      'if (!(await oldestParked(context, webhook))) return',
      'if (webhook.failures >= 0) return',
    ),
  ),
]
