const YEAR_SECONDS = 31_536_000
/** The pattern of method keys and asset IDs. */
const choicePattern = /^[a-z0-9][a-z0-9._/-]{0,63}$/

/**
 * The method or asset that this browser last paid with; null if it is not known. Only the order of choices
 * depends on it.
 */
export const lastChoiceOf = ({ headers }: Request): string | null =>
  /(?:^|;\s*)florin_choice=([a-z0-9._/-]{1,64})(?:;|$)/.exec(headers.get('cookie') ?? '')?.[1] ?? null

/**
 * The cookie that remembers a choice. Unlike a script's storage, a cookie works without JavaScript, and lets
 * the server put the choice first.
 */
export function choiceCookie(choice: string, checkoutUrl: string): Record<string, string> {
  if (!choicePattern.test(choice)) return {}
  const secure = checkoutUrl.startsWith('https:') ? '; Secure' : ''
  return {
    'set-cookie': `florin_choice=${choice}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  }
}
