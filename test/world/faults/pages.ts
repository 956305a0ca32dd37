import { edit, type Fault, fault } from './fault.ts'

/** Faults in the pages of buyers. */
export const pageFaults: Fault[] = [
  fault(
    'chosen-again',
    'a coin that was chosen before cannot be chosen again',
    edit(
      'operations/payments/open-crypto.ts',
      'await tables.attempts.update(id, { chosenAt, updatedAt: now })',
      'await tables.attempts.update(id, { updatedAt: now })',
    ),
  ),
  fault(
    'checked-without-look',
    'a page says that it was checked, although the chain could not be read',
    edit(
      'present/crypto.ts',
      'if (since === null || !asset) return null',
      'if (since === null || !asset || since > 0) return null',
    ),
    edit(
      'present/attempt.ts',
      'blindSince: timeOrNull(isOpened(one) ? blindSince(one) : null)',
      'blindSince: timeOrNull(isOpened(one) && blindSince(one) === 0 ? 0 : null)',
    ),
    edit(
      'present/attempt.ts',
      'chainReadAt: timeOrNull(isOpened(one) ? one.checkedAt : null)',
      'chainReadAt: timeOrNull(isOpened(one) ? one.updatedAt + 86_400_000 : null)',
    ),
  ),
  fault(
    'hidden-in-grace',
    'the address of a part-paid order is hidden in its extra time',
    edit(
      'present/attempt.ts',
      'isOpen(attempt) && (isLocked(attempt, now) || (attempt.credited > 0n && now < attempt.graceUntil))',
      'isOpen(attempt) && isLocked(attempt, now)',
    ),
  ),
  fault(
    'vanished-unsaid',
    'nobody is told that a payment has vanished',
    edit(
      'operations/settlement/attempts.ts',
      'vanishedAt: vanished.length === 0 ? null : Math.max(...vanished)',
      'vanishedAt: vanished.length >= 0 ? null : Math.max(...vanished)',
    ),
  ),
  fault(
    'silent-demand',
    'of many demands to look at a chain, those above ten are forgotten',
    edit(
      'operations/payments/check-now.ts',
      "    if (why === 'demand') scanLater(context, memory, name)\n",
      '',
    ),
  ),
]
