import type { Read } from './parsers.ts'

/** Where the operator gets notifications. */
interface NotifyUrl {
  name: 'https' | 'ntfy' | 'telegram'
  url: string
  /** the topic of ntfy, or the chat of Telegram */
  topic: string
}

const RULE =
  'must be https://HOST/PATH, ntfy+https://HOST/TOPIC, telegram://CHAT or telegram+https://HOST/CHAT'

const TELEGRAM = 'https://api.telegram.org'

/** An http(s) URL without credentials and fragment, split before its last segment. */
function split(text: string): { url: string; base: string; last: string } | null {
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.hash) return null
  const segments = parsed.pathname.split('/')
  const last = decodeURIComponent(segments.at(-1) ?? '')
  return { url: parsed.href, base: `${parsed.origin}${segments.slice(0, -1).join('/')}`, last }
}

/** Plain http works only for hosts that FLORIN_OUTBOUND_ALLOW names, as for webhooks. */
export const notifyUrl: Read<NotifyUrl | null> = value => {
  if (value === '') return null
  const chat = /^telegram:\/\/(@?[\w-]+)$/.exec(value)?.[1]
  if (chat !== undefined) return { name: 'telegram', url: TELEGRAM, topic: chat }
  const service = /^(ntfy|telegram)[+](.*)$/.exec(value)
  const found = split(service?.[2] ?? value)
  if (!found) throw new Error(RULE)
  if (!service) return { name: 'https', url: found.url, topic: '' }
  if (found.last === '') throw new Error(RULE)
  return { name: service[1] as 'ntfy' | 'telegram', url: found.base, topic: found.last }
}
