import type { Json } from '../../domain/metadata.ts'
import { readObject } from '../rpc/json.ts'
import { shortId } from './cursor.ts'
import { isHash } from './responses.ts'

/** Enough to recognise a replacement, which usually spends all inputs of the transaction that it replaces. */
const INPUTS_MAX = 32

/**
 * The outputs that a transaction spends: the digits of an id and an index. Two transactions with a common one
 * replace each other. Of very many, the lowest are kept, so that two lists of the same inputs have the same.
 * Inputs of hidden coins are left out.
 */
export function readInputs(inputs: readonly Json[]): readonly string[] {
  const spent = inputs.flatMap((input): string[] => {
    // Blockbook leaves out an index of 0.
    const { txid, vout = 0 } = readObject(input, 'an input')
    return isHash(txid) && Number.isSafeInteger(vout) ? [`${shortId(txid)}:${vout}`] : []
  })
  return spent.length > INPUTS_MAX ? spent.sort().slice(0, INPUTS_MAX) : spent
}
