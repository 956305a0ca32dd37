import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Json } from '../../../domain/metadata.ts'
import { StatusError } from '../../port.ts'
import { type JsonObject, readObject } from '../../rpc/json.ts'
import type { Account } from '../account.ts'
import { endpointOf, reached } from './http.ts'
import { type InvoiceSource, type IssuedInvoice, type Offer, type SourceTools, sourceError } from './port.ts'

const REASON_MAX = 120

/** The wallet of a Lightning address (LUD-06, LUD-16), whose server reports states (LUD-21). */
export function addressSource(account: Account, tools: SourceTools): InvoiceSource {
  return {
    // The server learns the preimage from the payment, so the preimage proves the payment.
    proof: 'preimage',
    offer: () => offerOf(account, tools),
    async look(verifyUrl, { text }) {
      const { settled, preimage, pr } = await ask(verifyUrl, 'the state of an invoice', tools)
      if (typeof settled !== 'boolean' || (pr !== undefined && !isSame(pr, text)))
        throw unusable('the server reports the state of another invoice, or none')
      const shown = typeof preimage === 'string' ? preimage.toLowerCase() : null
      return { isSettled: settled, receivedMsat: null, preimage: shown }
    },
  }
}

/** Reads the terms of an account, as its server describes them (LUD-06). */
async function offerOf({ url, text }: Account, tools: SourceTools): Promise<Offer> {
  const found = await ask(url, `the Lightning address ${text}`, tools)
  const { tag, callback, metadata } = found
  const [minMsat, maxMsat] = [found.minSendable, found.maxSendable].map(msatOf)
  const isComplete = tag === 'payRequest' && isUrl(callback) && typeof metadata === 'string'
  if (!isComplete || !minMsat || !maxMsat || minMsat > maxMsat)
    throw unusable('the server does not answer as a Lightning address has to (LUD-16)')
  const issue: Offer['issue'] = ({ amountMsat }) => issueAt(String(callback), amountMsat, tools)
  return { minMsat, maxMsat, metadataHash: hashOf(metadata), issue }
}

async function issueAt(callback: string, amountMsat: bigint, tools: SourceTools): Promise<IssuedInvoice> {
  const url = new URL(callback)
  url.searchParams.set('amount', amountMsat.toString())
  const { pr, verify } = await ask(url.href, 'an invoice', tools)
  if (typeof pr !== 'string') throw unusable('the server issued no invoice')
  if (!isUrl(verify)) {
    throw sourceError('lightningVerify', 'the server cannot confirm payments to others: it lacks LUD-21')
  }
  return { text: pr, paymentHash: null, handle: verify }
}

async function ask(url: string, what: string, tools: SourceTools): Promise<JsonObject> {
  const endpoint = endpointOf(url, tools)
  const { status, text } = await reached(url, endpoint.get(''))
  if (status >= 500) throw new StatusError(`answered with status ${status}`, status)
  const answer = readObject(parse(text), what)
  if (status >= 400 || answer.status === 'ERROR') {
    const reason =
      typeof answer.reason === 'string' ? endpoint.redact(answer.reason).slice(0, REASON_MAX) : ''
    throw sourceError('lightningName', `the server refused ${what}${reason === '' ? '' : `: ${reason}`}`)
  }
  return answer
}

const unusable = (message: string) => sourceError('lightningService', message)

function parse(text: string | null): Json {
  try {
    return JSON.parse(text ?? '') as Json
  } catch {
    throw unusable('the server answered with something else than JSON')
  }
}

/** Reads an amount, an integer in thousandths of a satoshi; null for anything else. */
const msatOf = (value: Json | undefined): bigint | null =>
  Number.isSafeInteger(value) && Number(value) > 0 ? BigInt(value as number) : null

const isUrl = (value: Json | undefined): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

const isSame = (value: Json, invoice: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === invoice.toLowerCase()

const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
