import { type NotifyTarget, parseNotifyTarget } from '../domain/notify-target.ts'
import type { Read } from './parsers.ts'

const RULE =
  'must be https://HOST/PATH, ntfy+https://HOST/TOPIC, telegram://CHAT or telegram+https://HOST/CHAT'

/** Plain http works only for hosts that FLORIN_OUTBOUND_ALLOW names, as for webhooks. */
export const notifyUrl: Read<NotifyTarget | null> = value => {
  if (value === '') return null
  const chat = /^telegram:\/\/([^/]*)$/.exec(value)?.[1]
  const [, service = 'https', text = value] = /^(ntfy|telegram)[+](https?:.*)$/.exec(value) ?? []
  const target =
    chat === undefined
      ? parseNotifyTarget(service as NotifyTarget['name'], text)
      : parseNotifyTarget('telegram', chat)
  if (!target) throw new Error(RULE)
  return target
}
