/** The addresses that an account gave to buyers since its last paid one. */
export interface UnpaidRun {
  count: number
  /** number of unused addresses that the wallet must look ahead to see the next payment */
  gap: number
}

/** Length of a run at which the merchant is first notified: wallets look about 20 unused addresses ahead. */
const FIRST_NOTICE = 15
const NOTICE_STEP = 50
const NOTICE_LEAD = 5

/** Public pages get only three quarters of the run; the rest is for orders of the API. */
export const runLimit = (max: number, isPublic: boolean): number =>
  isPublic ? Math.max(1, Math.floor((max * 3) / 4)) : max

/** True from half of the run on: each client can then open fewer payments. */
export const isScarce = ({ count }: UnpaidRun, max: number): boolean => count * 2 >= max

/** True if the merchant is notified at this length of a run: 15, 45, 95, … and at the end of the run. */
export const isNoticed = ({ count }: UnpaidRun, max: number): boolean =>
  count === FIRST_NOTICE || count === max || (count < max && (count + NOTICE_LEAD) % NOTICE_STEP === 0)

/** The gap limit that most wallets have by default. */
const USUAL_GAP = 20

/** True if a payment ended a run that the merchant was notified of. */
export const endsNoticedRun = (before: UnpaidRun, after: UnpaidRun): boolean =>
  before.count >= FIRST_NOTICE && after.count < FIRST_NOTICE

/** The gap limit that a wallet needs to show the payment that ended a run. */
export const gapLimitToSee = (before: UnpaidRun, after: UnpaidRun): number =>
  Math.max(USUAL_GAP, Math.ceil((before.gap - after.gap) / 10) * 10)

/** A gap limit that suffices until the next notification. */
export const gapLimitFor = ({ count, gap }: UnpaidRun): number => {
  const rest = NOTICE_STEP - ((count + NOTICE_LEAD) % NOTICE_STEP)
  return Math.ceil((gap + rest + NOTICE_LEAD) / 10) * 10
}
