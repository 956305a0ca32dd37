import { sourceError } from './port.ts'

/** A wrong secret reads like a refused one: nobody has to know which part of it is wrong. */
const unreadable = () => sourceError('lightningSecret', 'this is no macaroon of LND')

const VERSION = 2
const IDENTIFIER = 2
/** Of the identifier, as LND writes it: what follows is a message of Protocol Buffers. */
const BAKERY_VERSION = 3
const OPS_FIELD = 3
const BYTES_TYPE = 2

/** Rights that move nothing: all about invoices and addresses, and reading. */
const receiving = (entity: string, action: string): boolean =>
  action === 'read' || ((entity === 'invoices' || entity === 'address') && action === 'write')
/** Single calls that a macaroon can be limited to, as entities named "uri". */
const receivingCalls =
  /^\/lnrpc[.]Lightning\/(?:AddInvoice|LookupInvoice|ListInvoices|DecodePayReq|GetInfo|SubscribeInvoices)$/

/** Reads a macaroon, as it is copied or exported: in hex, in base64, or in its form for URLs. */
export function macaroonOf(entered: string): Buffer {
  const text = entered.trim()
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(text)
  if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw unreadable()
  return Buffer.from(text, isHex ? 'hex' : 'base64')
}

/**
 * Refuses a macaroon that may do more than issue invoices and read. Its identifier lists all that it may do,
 * and no conditions that follow it can add to that.
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

/** The entities and actions that the identifier of a macaroon names. */
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

/** The identifier of a macaroon of version 2: packets of a type, a length and a value. */
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

/** The fields of a message of Protocol Buffers that have bytes; LND uses no others here. */
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

/** A number of up to four groups of seven bits, and where it ends. */
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
