import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Json } from '../../domain/metadata.ts'
import { AccountError, type Fetch, StatusError } from '../port.ts'
import { HttpEndpoint } from '../rpc/http.ts'
import { type JsonObject, readObject } from '../rpc/json.ts'
import type { Account } from './account.ts'

const RESPONSE_BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 10_000
const REASON_MAX = 120

/** The terms of an account, as its server describes them (LUD-06). */
export interface PayTerms {
  callback: string
  minMsat: bigint
  maxMsat: bigint
  /** SHA-256 of the metadata, which an invoice may have as its description hash */
  metadataHash: string
}

/** An invoice of an account. Nothing in it has been checked. */
interface IssuedInvoice {
  text: string
  /** where its state can be asked (LUD-21) */
  verifyUrl: string
}

/** The state of an invoice, as its server reports it. */
export interface InvoiceState {
  isSettled: boolean
  /** lower-case hex; null where the server does not tell */
  preimage: string | null
}

/** A client of LNURL-pay servers (LUD-06, LUD-16, LUD-21). Its methods throw NetworkError. */
export class LnurlClient {
  constructor(
    /** reaches public hosts only, and those that the operator allows; follows no redirects */
    private readonly fetch: Fetch,
    private readonly clock: () => number,
  ) {}

  async terms({ url, text }: Account): Promise<PayTerms> {
    const found = await this.#ask(url, `the Lightning address ${text}`)
    const { tag, callback, metadata } = found
    const [minMsat, maxMsat] = [found.minSendable, found.maxSendable].map(msatOf)
    const isComplete = tag === 'payRequest' && isUrl(callback) && typeof metadata === 'string'
    if (!isComplete || !minMsat || !maxMsat || minMsat > maxMsat) {
      throw new AccountError(
        { kind: 'lightningService' },
        'the server does not answer as a Lightning address has to (LUD-16)',
      )
    }
    return { callback: String(callback), minMsat, maxMsat, metadataHash: hashOf(metadata) }
  }

  async issue(callback: string, amountMsat: bigint): Promise<IssuedInvoice> {
    const url = new URL(callback)
    url.searchParams.set('amount', amountMsat.toString())
    const { pr, verify } = await this.#ask(url.href, 'an invoice')
    if (typeof pr !== 'string')
      throw new AccountError({ kind: 'lightningService' }, 'the server issued no invoice')
    if (!isUrl(verify)) {
      throw new AccountError(
        { kind: 'lightningVerify' },
        'the server cannot confirm payments to others: it lacks LUD-21',
      )
    }
    return { text: pr, verifyUrl: verify }
  }

  /** Asks for the state of an invoice. An answer about another invoice is an error. */
  async look(verifyUrl: string, invoice: string): Promise<InvoiceState> {
    const { settled, preimage, pr } = await this.#ask(verifyUrl, 'the state of an invoice')
    if (typeof settled !== 'boolean' || (pr !== undefined && !isSame(pr, invoice))) {
      throw new AccountError(
        { kind: 'lightningService' },
        'the server reports the state of another invoice, or none',
      )
    }
    return { isSettled: settled, preimage: typeof preimage === 'string' ? preimage.toLowerCase() : null }
  }

  async #ask(url: string, what: string): Promise<JsonObject> {
    const limits = {
      fetch: this.fetch,
      clock: this.clock,
      timeoutMs: TIMEOUT_MS,
      maxBytes: RESPONSE_BYTES_MAX,
    }
    const endpoint = new HttpEndpoint(url, limits)
    const { status, text } = await endpoint.get('')
    if (status >= 500) throw new StatusError(`answered with status ${status}`, status)
    const answer = readObject(parse(text), what)
    if (status >= 400 || answer.status === 'ERROR') {
      const reason =
        typeof answer.reason === 'string' ? endpoint.redact(answer.reason).slice(0, REASON_MAX) : ''
      throw new AccountError(
        { kind: 'lightningName' },
        `the server refused ${what}${reason === '' ? '' : `: ${reason}`}`,
      )
    }
    return answer
  }
}

function parse(text: string | null): Json {
  try {
    return JSON.parse(text ?? '') as Json
  } catch {
    throw new AccountError({ kind: 'lightningService' }, 'the server answered with something else than JSON')
  }
}

/** Amounts are integers, in thousandths of a satoshi; null for anything else. */
const msatOf = (value: Json | undefined): bigint | null =>
  Number.isSafeInteger(value) && Number(value) > 0 ? BigInt(value as number) : null

const isUrl = (value: Json | undefined): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

const isSame = (value: Json, invoice: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === invoice.toLowerCase()

const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
