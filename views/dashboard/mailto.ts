/** A link that opens a new mail in the person's mail program. */
export function mailto(address: string | null, values: { subject: string; body: string }): string {
  const query = Object.entries(values).map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed().replace(/[\u2066-\u2069]/g, ''))}`,
  )
  return `mailto:${encodeURIComponent(address ?? '').replace('%40', '@')}?${query.join('&')}`
}
