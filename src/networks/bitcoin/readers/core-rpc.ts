import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import { type JsonObject, readArray, readObject } from '../../rpc/json.ts'
import type { JsonRpc } from '../../rpc/json-rpc.ts'
import type { Call, Reply } from '../../rpc/json-rpc-codec.ts'
import { readCoins } from '../amounts.ts'
import { readInputs } from '../inputs.ts'
import { isHash, readHash, readHeight, readScript } from '../responses.ts'

export const call = (method: string, ...params: Json[]): Call => ({ method, params })

/** Returns the result of one call. Throws NetworkError, also if the node rejects the call. */
export async function askOne(rpc: JsonRpc, one: Call): Promise<Json> {
  const [reply] = await rpc.ask([one])
  return resultOf(reply, one.method)
}

export function resultOf(reply: Reply | undefined, method: string): Json {
  if (!reply) throw new NetworkError(`did not answer ${method}`)
  if ('error' in reply) throw new NetworkError(`rejected ${method}: "${reply.error.message}"`)
  return reply.result
}

/** An output of a transaction. The amount is parsed by `amountOf`, since hardly any output pays a watch. */
export interface Output {
  txId: string
  index: number
  script: string
  value: Json | undefined
  /** the outputs that the transaction spends, as `readInputs` returns them */
  inputs: readonly string[]
}

export const amountOf = ({ value }: Output): bigint => readCoins(value)

/** Reads the outputs of a transaction in Bitcoin Core's JSON; empty for a block reward. */
export function readOutputs(json: Json | undefined): Output[] {
  const transaction = readObject(json, 'a transaction')
  const txId = readHash(transaction.txid)
  const inputs = readArray(transaction.vin, 'the inputs of a transaction')
  if (inputs.some(input => readObject(input, 'an input').coinbase !== undefined)) return []
  const spent = readInputs(inputs)
  return readArray(transaction.vout, 'the outputs of a transaction').flatMap((one, index): Output[] => {
    const output = readObject(one, 'an output')
    if (isHidden(output)) return []
    const { hex } = readObject(output.scriptPubKey, 'an output script')
    const place = { txId, index: readHeight(output.n ?? index) }
    return [{ ...place, script: readScript(hex), value: output.value, inputs: spent }]
  })
}

/** True for an output in Litecoin's MWEB, which has no visible script or amount. */
const isHidden = ({ ismweb, scriptPubKey, output_id }: JsonObject): boolean =>
  ismweb === true || (scriptPubKey === undefined && isHash(output_id))
