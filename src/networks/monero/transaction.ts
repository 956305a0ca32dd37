import { hexToBytes } from '@noble/hashes/utils.js'
import type { Json } from '../../domain/metadata.ts'
import { type JsonObject, malformedResponse, readCount, readObject } from '../rpc/json.ts'
import { readExtra, type TransactionKeys } from './extra.ts'
import { parseObject, readByte, readHash, readHex, readList, readString } from './responses.ts'

/** The public part of an output. */
export interface Output {
  /** the one-time key, in hexadecimal */
  key: string
  viewTag: number
  /** the masked amount, in 8 bytes */
  maskedAmount: Uint8Array
  /** the commitment to the amount, in hexadecimal */
  commitment: string
}

export interface Transaction {
  hash: string
  /** true if the outputs cannot be spent before some block or time */
  isLocked: boolean
  keys: TransactionKeys
  /** the outputs by index; null for an output of an old form, which wallets no longer make */
  outputs: (Output | null)[]
}

const FORM = 'a transaction of a known form'
const AMOUNT_CHARACTERS = 16
/** The types Bulletproof2, CLSAG and BulletproofPlus, which hide amounts in 8 bytes. */
const ringTypes = [4, 5, 6]
/** A version with public amounts, which consensus allows only for spending outputs of the first years. */
const CLEAR_VERSION = 1
const CONFIDENTIAL_VERSION = 2

/**
 * Reads a transaction in the daemon's JSON. Throws NetworkError for an unknown form, since it may contain a
 * payment.
 */
export function readTransaction(hash: string, asJson: string): Transaction {
  const json = parseObject(asJson, FORM)
  const version = readCount(json.version, FORM)
  const extra = Uint8Array.from(readList(json.extra, FORM), byte => readByte(byte, FORM))
  const outputs = version === CLEAR_VERSION ? [] : confidential(json, version)
  return { hash, isLocked: json.unlock_time !== 0, keys: readExtra(extra), outputs }
}

function confidential(json: JsonObject, version: number): (Output | null)[] {
  const { type, ecdhInfo, outPk } = readObject(json.rct_signatures, FORM)
  if (version !== CONFIDENTIAL_VERSION || !ringTypes.includes(readCount(type, FORM)))
    throw malformedResponse(FORM)
  const outputs = readList(json.vout, FORM)
  const amounts = readList(ecdhInfo, FORM)
  const commitments = readList(outPk, FORM)
  if (amounts.length !== outputs.length || commitments.length !== outputs.length)
    throw malformedResponse(FORM)
  return outputs.map((output, index) => readOutput(output, amounts[index], commitments[index]))
}

function readOutput(json: Json, hidden: Json | undefined, commitment: Json | undefined): Output | null {
  const target = readObject(readObject(json, FORM).target, FORM)
  if (target.tagged_key === undefined && target.key !== undefined) return null
  const { key, view_tag } = readObject(target.tagged_key, FORM)
  const masked = readString(readObject(hidden, FORM).amount, FORM).slice(0, AMOUNT_CHARACTERS)
  return {
    key: readHash(key, FORM),
    viewTag: hexToBytes(readHex(view_tag, 1, FORM))[0]!,
    maskedAmount: hexToBytes(readHex(masked, AMOUNT_CHARACTERS / 2, FORM)),
    commitment: readHash(commitment, FORM),
  }
}
