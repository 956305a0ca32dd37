/** The addresses that an account gave to buyers since the last one that was paid. */
export interface UnpaidRun {
  count: number
  /** how many unused addresses ahead the wallet must check to see the next payment */
  gap: number
}

/** Wallets check about 20 unused addresses; the merchant is notified before that. */
const FIRST_NOTICE = 15
const NOTICE_STEP = 50
const NOTICE_LEAD = 5

/** Orders from public pages leave a quarter of the run to orders of the API. */
export const runLimit = (max: number, isPublic: boolean): number =>
  isPublic ? Math.max(1, Math.floor((max * 3) / 4)) : max

/** From half of the run on, each client opens fewer payments. */
export const isScarce = ({ count }: UnpaidRun, max: number): boolean => count * 2 >= max

/** Whether the merchant is notified when the run has reached this length: at 15, 45, 95, … and at its end. */
export const isNoticed = ({ count }: UnpaidRun, max: number): boolean =>
  count === FIRST_NOTICE || count === max || (count < max && (count + NOTICE_LEAD) % NOTICE_STEP === 0)

/** Wallets with their usual gap limit see this many unused addresses ahead. */
const USUAL_GAP = 20

/** Whether a payment ended a run that the merchant was notified of. */
export const isOver = (before: UnpaidRun, after: UnpaidRun): boolean =>
  before.count >= FIRST_NOTICE && after.count < FIRST_NOTICE

/** The gap limit with which a wallet shows the payment that ended a run. */
export const gapLimitToSee = (before: UnpaidRun, after: UnpaidRun): number =>
  Math.max(USUAL_GAP, Math.ceil((before.gap - after.gap) / 10) * 10)

/** A gap limit that is enough until the next notice. */
export const gapLimitFor = ({ count, gap }: UnpaidRun): number => {
  const rest = NOTICE_STEP - ((count + NOTICE_LEAD) % NOTICE_STEP)
  return Math.ceil((gap + rest + NOTICE_LEAD) / 10) * 10
}
