import { createHash } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { serviceUpstream } from '../../domain/upstream.ts'
import type { Network } from '../../networks/port.ts'
import { makeInvoice } from './make-bolt11.ts'

const EXPIRY_S = 35 * 60
const MSAT = 1000n
const HOST = 'sandbox'
const NODE = '02'.padEnd(66, '5a')

const secretOf = (purpose: string, attemptId: string): Uint8Array =>
  createHash('sha256').update(`florin sandbox ${purpose} ${attemptId}`).digest()

/**
 * The simulated wallet of a shop: it issues invoices that are really signed, and the simulated chain keeps
 * what was paid to them. It takes any Lightning address.
 */
export const sandboxLightning = ({ sameAddresses: _, ...chain }: Network, clock: () => number): Network => ({
  ...chain,
  async open({ attemptId, asset, dueAtomic, label }) {
    const now = clock()
    const preimage = secretOf('preimage', attemptId)
    const invoice = makeInvoice({
      ...{ amountMsat: dueAtomic * MSAT, preimage, description: label, now, expiryS: EXPIRY_S },
      ...{ secret: secretOf('secret', attemptId), key: secretOf('node', '') },
    })
    return {
      invoice,
      uri: `lightning:${invoice.toUpperCase()}`,
      reference: bytesToHex(sha256(preimage)),
      expiresAt: now + EXPIRY_S * 1000,
      source: { kind: 'issued', service: serviceUpstream(asset, HOST) },
      cursor: {},
    }
  },
  accounts: {
    async try(entered) {
      const { kind } = entered
      if (kind === 'address')
        return {
          account: { kind, account: entered.text.trim().toLowerCase(), host: HOST, node: NODE },
          secret: null,
        }
      const { secret, certificate } = entered
      // A connection string is a secret, so it is not part of the account.
      const account = kind === 'nwc' ? 'nwc+wss://sandbox' : `${kind}+${entered.url.trim()}`
      return { account: { kind, account, host: HOST, node: NODE }, secret: { secret, certificate } }
    },
    tryAgain: async () => {},
    describe: () => ({ upstream: serviceUpstream(chain, HOST), limits: null }),
  },
})
