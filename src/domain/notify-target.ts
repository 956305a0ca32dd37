export interface NotifyTarget {
  name: 'https' | 'ntfy' | 'telegram'
  /** the endpoint; for Telegram the API without a token */
  url: string
  /** topic of ntfy, or chat of Telegram */
  topic: string
}

const TELEGRAM = 'https://api.telegram.org'

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Splits an http(s) URL before its last segment. Returns null if the URL has credentials or a fragment. */
function split(text: string): { url: string; base: string; last: string } | null {
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.hash) return null
  const segments = parsed.pathname.split('/')
  const last = decoded(segments.at(-1) ?? '')
  return { url: parsed.href, base: `${parsed.origin}${segments.slice(0, -1).join('/')}`, last }
}

/**
 * Parses https://HOST/PATH, https://HOST/TOPIC of ntfy, or a chat of Telegram, alone or as https://HOST/CHAT.
 * Returns null for anything else. Plain http is refused elsewhere.
 */
export function parseNotifyTarget(name: NotifyTarget['name'], text: string): NotifyTarget | null {
  if (name === 'telegram' && /^@?[\w-]+$/.test(text)) return { name, url: TELEGRAM, topic: text }
  const found = split(text)
  if (!found || (name !== 'https' && found.last === '')) return null
  return name === 'https' ? { name, url: found.url, topic: '' } : { name, url: found.base, topic: found.last }
}
