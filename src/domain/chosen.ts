import type { ChosenEndpoint } from './endpoint.ts'
import type { MailServer } from './mail-server.ts'

/** Everything that operators chose in the dashboard. */
export interface Chosen {
  /** the endpoints of each chain are in the order in which they are tried */
  endpoints: readonly ChosenEndpoint[]
  /** exchanges that rates are read from; used while FLORIN_RATES is empty */
  rateSources: readonly string[]
  /** used while FLORIN_SMTP_URL is empty; null for none */
  mail: MailServer | null
}

export const nothingChosen: Chosen = { endpoints: [], rateSources: [], mail: null }
