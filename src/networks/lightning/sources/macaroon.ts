import { sourceError } from './port.ts'

/**
 * The error for a malformed macaroon. Its message is the same whatever part is wrong, since a person can only
 * copy the macaroon again.
 */
const unreadable = () => sourceError('lightningSecret', 'this is no macaroon of LND')

const VERSION = 2
const IDENTIFIER = 2
/** The version that LND writes before the identifier's message of Protocol Buffers. */
const BAKERY_VERSION = 3
const OPS_FIELD = 3
const BYTES_TYPE = 2

/** True for a right that moves no money: to read, or to write invoices or addresses. */
const receiving = (entity: string, action: string): boolean =>
  action === 'read' || ((entity === 'invoices' || entity === 'address') && action === 'write')
/**
 * Matches single calls that move no money. A macaroon can be limited to such calls, as entities named "uri".
 */
const receivingCalls =
  /^\/lnrpc[.]Lightning\/(?:AddInvoice|LookupInvoice|ListInvoices|DecodePayReq|GetInfo|SubscribeInvoices)$/

/** Reads a macaroon as it is copied or exported: in hex, base64 or base64url. */
export function macaroonOf(entered: string): Buffer {
  const text = entered.trim()
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(text)
  if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw unreadable()
  return Buffer.from(text, isHex ? 'hex' : 'base64')
}

/**
 * Refuses a macaroon that may do more than issue invoices and read. The macaroon's identifier lists all that
 * it may do. The conditions that follow the identifier cannot add to that list.
 */
export function requireReceiving(macaroon: Buffer): void {
  const rights = rightsOf(macaroon)
  const other = rights.find(({ entity, action }) =>
    entity === 'uri' ? !receivingCalls.test(action) : !receiving(entity, action),
  )
  if (other) throw sourceError('lightningPays', `the macaroon also grants ${other.entity}:${other.action}`)
  const has = (action: string, call: string) =>
    rights.some(one => (one.entity === 'invoices' ? one.action === action : one.action.endsWith(call)))
  if (!has('write', '/AddInvoice') || !has('read', '/LookupInvoice'))
    throw sourceError('lightningRights', 'the macaroon cannot issue and look up invoices')
}

/** Returns the entities and actions that the identifier of a macaroon names. */
function rightsOf(macaroon: Buffer): { entity: string; action: string }[] {
  const identifier = identifierOf(macaroon)
  if (identifier[0] !== BAKERY_VERSION) throw unreadable()
  return fieldsOf(identifier.subarray(1))
    .filter(({ field }) => field === OPS_FIELD)
    .flatMap(({ value }) => {
      const [entity = '', ...actions] = fieldsOf(value).map(({ value: text }) => text.toString('utf8'))
      return actions.map(action => ({ entity, action }))
    })
}

/**
 * Returns the identifier of a macaroon of version 2, which consists of packets of a type, a length and a
 * value.
 */
function identifierOf(macaroon: Buffer): Buffer {
  if (macaroon[0] !== VERSION) throw unreadable()
  for (let at = 1; at < macaroon.length; ) {
    const [type, typeEnd] = varint(macaroon, at)
    const [length, start] = varint(macaroon, typeEnd)
    if (start + length > macaroon.length) throw unreadable()
    if (type === IDENTIFIER) return macaroon.subarray(start, start + length)
    at = start + length
  }
  throw unreadable()
}

/** Returns the fields with bytes of a message of Protocol Buffers. LND uses no other fields here. */
function fieldsOf(message: Buffer): { field: number; value: Buffer }[] {
  const fields: { field: number; value: Buffer }[] = []
  for (let at = 0; at < message.length; ) {
    const [tag, tagEnd] = varint(message, at)
    const [length, start] = varint(message, tagEnd)
    if ((tag & 7) !== BYTES_TYPE || start + length > message.length) throw unreadable()
    fields.push({ field: tag >> 3, value: message.subarray(start, start + length) })
    at = start + length
  }
  return fields
}

/** Reads a number of up to four groups of seven bits, and the position where it ends. */
function varint(bytes: Buffer, at: number): [number: number, end: number] {
  let number = 0
  for (let group = 0; group < 4; group++) {
    const byte = bytes[at + group]
    if (byte === undefined) break
    number |= (byte & 127) << (7 * group)
    if (byte < 128) return [number, at + group + 1]
  }
  throw unreadable()
}
