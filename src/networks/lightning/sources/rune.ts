import { sourceError } from './port.ts'

const HASH_BYTES = 32

/**
 * Matches restrictions to commands that move no money. Commands that begin with "list" or "get" only read.
 */
const receiving = /^method(?:=(?:invoice|waitinvoice|waitanyinvoice|summary)|[=^](?:list|get)[a-z]*)$/

/**
 * Refuses a rune that may do more than issue invoices and read. A rune consists of a hash and of
 * restrictions. All restrictions have to hold, and each can have alternatives.
 */
export function requireReceivingRune(rune: string): void {
  const bytes = Buffer.from(rune, 'base64')
  if (!/^[A-Za-z0-9_+/-]+={0,2}$/.test(rune) || bytes.length <= HASH_BYTES)
    throw sourceError('lightningSecret', 'this is no rune of Core Lightning')
  const restrictions = bytes
    .subarray(HASH_BYTES)
    .toString('utf8')
    .split('&')
    .map(one => one.split('|'))
  const methods = restrictions.filter(alternatives => alternatives.every(one => receiving.test(one)))
  if (methods.length === 0) throw sourceError('lightningPays', 'the rune is not restricted to invoices')
  const isAllowed = (name: string): boolean =>
    methods.every(alternatives =>
      alternatives.some(one => one === `method=${name}` || name.startsWith(one.split('^')[1] ?? '\n')),
    )
  if (!isAllowed('invoice') || !isAllowed('listinvoices'))
    throw sourceError('lightningRights', 'the rune does not allow to issue and look up invoices')
}
