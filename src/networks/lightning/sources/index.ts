import { asserted } from '../../../domain/errors.ts'
import type { NodeSecret } from '../../../domain/lightning.ts'
import type { Account } from '../account.ts'
import type { InvoiceSource, SourceTools } from './port.ts'

type NodeSource = (url: string, secret: string, tools: SourceTools) => InvoiceSource

/** Loads the code of a source with the first account that needs it: a connection of Nostr brings ciphers. */
const nodes: Record<Exclude<Account['kind'], 'address'>, () => NodeSource> = {
  phoenixd: () => require('./phoenixd.ts').phoenixdSource,
  greenfield: () => require('./greenfield.ts').greenfieldSource,
  lnd: () => require('./lnd.ts').lndSource,
  cln: () => require('./cln.ts').clnSource,
  nwc: () => require('./nwc.ts').nwcSource,
}

type AddressSource = typeof import('./address.ts').addressSource

/** The source of an account's invoices. That of a node needs its secret. */
export function sourceOf(account: Account, known: NodeSecret | null, tools: SourceTools): InvoiceSource {
  if (account.kind === 'address') {
    const addressSource: AddressSource = require('./address.ts').addressSource
    return addressSource(account, tools)
  }
  const { secret } = asserted(known, 'a node has a secret')
  return nodes[account.kind]()(account.url, secret, tools)
}
