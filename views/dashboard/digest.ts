import type { DashboardLocale } from './locale.ts'

/** A summary of a shop's day. Amounts include their currency. */
interface DigestModel {
  shop: string
  timeZone: string
  from: number
  to: number
  created: number
  paid: number
  sums: readonly {
    currency: string
    paid: string | null
    forced: string | null
    refunded: string | null
    net: string | null
  }[]
  openPayments: number
  failedEvents: number
  isWebhookDown: boolean
}

type Texts = DashboardLocale['texts']['letters']['digest']

function sumLines(texts: Texts, sums: DigestModel['sums']): string[] {
  return sums.flatMap(({ currency, paid, forced, refunded, net }) => {
    const parts = [
      paid && texts.paid({ sum: paid }),
      forced && texts.forced({ sum: forced }),
      refunded && texts.refunded({ sum: refunded }),
      net && texts.net({ sum: net }),
    ].filter(Boolean)
    return parts.length > 0 ? [`${currency}: ${parts.join(', ')}`] : []
  })
}

function attention(texts: Texts, { openPayments, failedEvents, isWebhookDown }: DigestModel): string {
  const lines = [
    openPayments > 0 && texts.openPayments({ count: openPayments }),
    failedEvents > 0 && texts.failedEvents({ count: failedEvents }),
    isWebhookDown && texts.webhookDown,
  ].filter(Boolean)
  if (lines.length === 0) return texts.nothing
  return [texts.attention, ...lines.map(line => `- ${line}`)].join('\n')
}

/** The message with the summary of a shop's day. It links to the dashboard at `url`. */
export function digestLetter(
  locale: DashboardLocale,
  url: string,
  model: DigestModel,
): { subject: string; text: string } {
  const { digest } = locale.texts.letters
  const { shop, timeZone, from, to, created, paid, sums } = model
  const parts = [
    digest.range({ from: locale.dateTime(from), to: locale.dateTime(to), zone: timeZone }),
    digest.orders({ created, paid }),
    sumLines(digest, sums).join('\n'),
    attention(digest, model),
    `${url}/dashboard`,
  ]
  return { subject: digest.subject({ shop, paid }), text: parts.filter(part => part !== '').join('\n\n') }
}
