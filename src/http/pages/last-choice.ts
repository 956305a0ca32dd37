const YEAR_SECONDS = 31_536_000
/** Method keys and asset ids. */
const choicePattern = /^[a-z0-9][a-z0-9._/-]{0,63}$/

/** What this browser paid with the last time; null if it never did. Nothing depends on it but an order. */
export const lastChoiceOf = ({ headers }: Request): string | null =>
  /(?:^|;\s*)florin_choice=([a-z0-9._/-]{1,64})(?:;|$)/.exec(headers.get('cookie') ?? '')?.[1] ?? null

/**
 * Remembers a choice. A cookie, unlike the storage of a script, also works without JavaScript, and lets the
 * server put the choice first before anything is drawn.
 */
export function choiceCookie(choice: string, checkoutUrl: string): Record<string, string> {
  if (!choicePattern.test(choice)) return {}
  const secure = checkoutUrl.startsWith('https:') ? '; Secure' : ''
  return {
    'set-cookie': `florin_choice=${choice}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  }
}
