import type { DashboardLocale } from './locale.ts'

interface Letter {
  subject: string
  text: string
}

/** What happened to the account of a person. */
type PersonLetter =
  | { kind: 'newLogin'; browser: { browser: string | null; system: string | null }; address: string }
  | { kind: 'passkeyAdded' | 'passkeyCopied'; passkey: string }
  | { kind: 'attacked'; step: 'password' | 'code'; failures: number; address: string; account: string }

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
  const { email } = news
  if (news.kind === 'attacked') {
    const { subject, text } = letters.attacked
    return { subject, text: text({ ...news, address: news.address || letters.unknownAddress }) }
  }
  if (news.kind !== 'newLogin') {
    const { subject, text } = letters[news.kind]
    return { subject, text: text({ passkey: news.passkey, email }) }
  }
  const { subject, text } = letters.newLogin
  const browser = browserText(locale, news.browser)
  const address = news.address || letters.unknownAddress
  return { subject, text: text({ url, email, browser, address, time: `${locale.dateTime(news.at)} UTC` }) }
}

/** A mail to a person about their own account, on the dashboard at `url`. */
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
