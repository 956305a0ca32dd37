import { asserted } from '../../../domain/errors.ts'
import type { NodeSecret } from '../../../domain/lightning.ts'
import type { Account } from '../account.ts'
import type { InvoiceSource, SourceTools } from './port.ts'

type NodeSource = (url: string, secret: string, tools: SourceTools) => InvoiceSource

/** Each source is loaded with the first account that needs it, since that of Nostr loads ciphers. */
const nodes = {
  phoenixd: (): typeof import('./phoenixd.ts').phoenixdSource => require('./phoenixd.ts').phoenixdSource,
  greenfield: (): typeof import('./greenfield.ts').greenfieldSource =>
    require('./greenfield.ts').greenfieldSource,
  lnd: (): typeof import('./lnd.ts').lndSource => require('./lnd.ts').lndSource,
  cln: (): typeof import('./cln.ts').clnSource => require('./cln.ts').clnSource,
  nwc: (): typeof import('./nwc.ts').nwcSource => require('./nwc.ts').nwcSource,
} satisfies Record<Exclude<Account['kind'], 'address'>, () => NodeSource>

type AddressSource = typeof import('./address.ts').addressSource

/** Returns the source of an account's invoices. The source of a node needs the node's secret. */
export function sourceOf(account: Account, known: NodeSecret | null, tools: SourceTools): InvoiceSource {
  if (account.kind === 'address') {
    const addressSource: AddressSource = require('./address.ts').addressSource
    return addressSource(account, tools)
  }
  const { secret } = asserted(known, 'a node has a secret')
  return nodes[account.kind]()(account.url, secret, tools)
}
