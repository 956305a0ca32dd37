import { Refusal } from '../../domain/errors.ts'

/** The refusal of a form that another site sent, or whose origin is unknown. */
const otherSite = (): Refusal =>
  new Refusal('forbidden', 'The form was sent from another site.', { reason: { kind: 'other_site' } })

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null)

/**
 * Refuses a form that was not sent from a page of this server. Browsers say where a form comes from, and
 * scripts of other sites cannot change that. A page without a referrer sends the origin "null".
 */
export function checkSameOrigin({ headers }: Request, dashboardUrl: string): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && site !== 'same-origin') throw otherSite()
  if (site !== null && (origin === null || origin === 'null')) return
  const own = [headers.get('host'), hostOf(dashboardUrl)]
  const from = origin === null ? null : hostOf(origin)
  if (from === null || !own.includes(from)) throw otherSite()
}
