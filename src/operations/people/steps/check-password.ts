import { createHash } from 'node:crypto'
import { invalid } from '../../../domain/errors.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/user.ts'
import type { Context } from '../../context.ts'
import packed from './common-passwords.txt' with { type: 'text' }

let common: Set<number> | null = null

const numberOf = (word: string): number => createHash('sha256').update(word).digest().readUInt32BE()

function isCommon(word: string): boolean {
  if (common === null) {
    const bytes = Buffer.from(packed, 'base64')
    common = new Set(Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32BE(4 * at)))
  }
  return common.has(numberOf(word))
}

const digitsForLetters: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
}
const withLetters = (text: string): string =>
  text.replace(/[013457@$!]/g, sign => digitsForLetters[sign] ?? sign)

/** The part that a text repeats, such as "ab" in "ababab"; the whole text if it repeats nothing. */
const unitOf = (text: string): string => {
  const at = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, at)
}

const rows = ['abcdefghijklmnopqrstuvwxyz', '0123456789'.repeat(3)]

/** True for neighbours in a row, such as "abcdef" and "987654". */
const isRow = (text: string): boolean =>
  rows.some(row => row.includes(text) || row.includes([...text].toReversed().join('')))

/** Max characters beside a common word that are only decoration, such as a year, digits or signs. */
const DECORATION_MAX = 4
/** Min characters that a password needs beside names; more if they are only digits and signs. */
const REST_MIN = 6
const REST_DIGITS_MIN = 9
const WORD_MIN = 4

/** True for a common word, with or without decoration. */
function isDecorated(text: string): boolean {
  const [word = ''] = /\p{L}.*\p{L}/u.exec(text) ?? []
  const rest = text.replace(word, '')
  const isWord = isCommon(word) || isCommon(withLetters(word))
  return word.length >= WORD_MIN && isWord && (rest.length <= DECORATION_MAX || isCommon(rest) || isRow(rest))
}

/** True for a password that an attacker would try early: it is common, or made from these known words. */
export function isEasyToGuess(password: string, known: readonly string[]): boolean {
  const plain = password.toLowerCase()
  const text = plain.replace(/[\s._-]/g, '')
  const unit = unitOf(text)
  if ([plain, text, withLetters(text), unit].some(isCommon) || isRow(text) || isDecorated(text)) return true
  if (unit.length < text.length && (unit.length <= DECORATION_MAX || isDecorated(unit))) return true
  const strip = (from: string) => known.reduce((left, word) => left.replaceAll(word, ''), from)
  return [text, withLetters(text)].some(one => {
    const rest = strip(one)
    const min = /\p{L}/u.test(rest) ? REST_MIN : REST_DIGITS_MIN
    return rest !== one && (rest.length < min || isCommon(rest) || isDecorated(rest) || isRow(rest))
  })
}

/** The words of a name: each one, and all of them together. The longest come first. */
const wordsIn = (names: readonly string[]): string[] => {
  const words = names.flatMap(name => {
    const parts = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    return [...parts, parts.join('')]
  })
  const long = words.filter(word => word.length >= WORD_MIN)
  return [...new Set(long)].toSorted((a, b) => b.length - a.length)
}

type CheckContext = Pick<Context, 'policy' | 'storage'>

/** The names that an attacker of a person knows: the person's, those of their shops, and this server's. */
async function namesOf({ policy, storage }: CheckContext, email: string): Promise<string[]> {
  const shops = await storage.read(async tables => {
    const user = await tables.users.findByEmail(email)
    const found: string[] = []
    for (const { merchantId } of user ? await tables.memberships.listOfUser(user.id) : []) {
      const merchant = await tables.merchants.find(merchantId)
      if (merchant) found.push(merchant.name)
    }
    return found
  })
  return ['Florin', new URL(policy.dashboardUrl).hostname, email, ...shops]
}

/** Refuses a password that is easy to guess. */
export async function checkPassword(context: CheckContext, password: string, email: string): Promise<void> {
  const { length } = [...password]
  if (length < PASSWORD_MIN) throw invalid('password', `must have at least ${PASSWORD_MIN} characters`)
  if (length > PASSWORD_MAX) throw invalid('password', `must have at most ${PASSWORD_MAX} characters`)
  if (password.toLowerCase().includes(email.toLowerCase())) {
    throw invalid('password', 'must not contain the email address')
  }
  if (new Set(password).size < 4) throw invalid('password', 'must have at least 4 different characters')
  if (isEasyToGuess(password, wordsIn(await namesOf(context, email)))) {
    throw invalid('password', 'must not be a common password, or the name of a shop, a person or this server')
  }
}
