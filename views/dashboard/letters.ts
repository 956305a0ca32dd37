import { filled } from '../texts/message.ts'
import type { DashboardLocale } from './locale.ts'

type Said = string | ((values: object) => string)

interface Letter {
  subject: string
  text: string
}

/** A change of a person's account, with the values of its text. */
type PersonLetter = {
  kind: Exclude<keyof DashboardLocale['texts']['letters'], keyof OtherLetters>
  browser?: { browser: string | null; system: string | null }
  address?: string
}

type OtherLetters = Record<
  'unknownAddress' | 'accountAt' | 'channelCode' | 'channelTest' | 'digest' | 'invitation' | 'passwordLink',
  unknown
>

/** The name of a browser, such as "Firefox on Windows". */
export function browserText(
  { texts: { account } }: DashboardLocale,
  { browser, system }: { browser: string | null; system: string | null },
): string {
  const name = browser ?? account.unknownBrowser
  return system === null ? name : account.onSystem({ browser: name, system })
}

function letterOf(
  locale: DashboardLocale,
  url: string,
  news: PersonLetter & { email: string; at: number },
): Letter {
  const { letters } = locale.texts
  const { subject, text } = letters[news.kind]
  const values = {
    ...news,
    url,
    browser: browserText(locale, news.browser ?? { browser: null, system: null }),
    address: news.address || letters.unknownAddress,
    time: `${locale.dateTime(news.at)} UTC`,
  }
  // The compiler cannot check that a text gets all its values. Each text has a test.
  const said = (one: unknown) => filled(one as Said, values)
  return { subject: said(subject), text: said(text) }
}

/** A mail to a person about a change of their account. It links to the dashboard at `url`. */
export function personLetter(
  locale: DashboardLocale,
  url: string,
  news: PersonLetter & { email: string; at: number },
): Letter {
  const { subject, text } = letterOf(locale, url, news)
  return {
    subject,
    text: `${text}\n\n${locale.texts.letters.accountAt({ url: `${url}/dashboard/account` })}`,
  }
}
