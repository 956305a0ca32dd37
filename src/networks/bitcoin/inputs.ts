import type { Json } from '../../domain/metadata.ts'
import { readObject } from '../rpc/json.ts'
import { shortId } from './cursor.ts'
import { isHash } from './responses.ts'

/**
 * Max inputs that are kept. They are enough to recognize a replacement, which usually spends all inputs of
 * the transaction that it replaces.
 */
const INPUTS_MAX = 32

/**
 * Reads the outputs that a transaction spends, each as the digits of an ID and an index. Of two transactions
 * with a common input, one replaces the other. If the list is long, only the lowest inputs are returned, so
 * that the same inputs in another order give the same result. Inputs from Litecoin's MWEB are left out.
 */
export function readInputs(inputs: readonly Json[]): readonly string[] {
  const spent = inputs.flatMap((input): string[] => {
    // Blockbook leaves out an index of 0.
    const { txid, vout = 0 } = readObject(input, 'an input')
    return isHash(txid) && Number.isSafeInteger(vout) ? [`${shortId(txid)}:${vout}`] : []
  })
  return spent.length > INPUTS_MAX ? spent.sort().slice(0, INPUTS_MAX) : spent
}
