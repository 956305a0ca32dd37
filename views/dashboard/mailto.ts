/** A link that opens the mail program of a person with a mail to send from there. */
export function mailto(address: string | null, values: { subject: string; body: string }): string {
  const query = Object.entries(values).map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed().replace(/[\u2066-\u2069]/g, ''))}`,
  )
  return `mailto:${encodeURIComponent(address ?? '').replace('%40', '@')}?${query.join('&')}`
}
