/*
 * Packs a list of common passwords, most common first, into src/operations/people/steps/common-passwords.txt:
 *
 *   npm pack @zxcvbn-ts/language-common@3.0.4, then bun .ci/common-passwords.ts package/src/passwords.json
 *
 * The file has the first four bytes of the SHA-256 of each password, sorted: small, and without the words that
 * people use as passwords.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'

const [source = ''] = process.argv.slice(2)
const COUNT = 10_000
/** As passwords are: with 10 characters or more. */
const LONG = 10
/** As parts of a password, such as "dragon" in "Dragon2024!". */
const WORD = /^\p{L}{4,}$/u

const list: string[] = (await Bun.file(source).json()).map((password: string) => password.toLowerCase())
const long = list.filter(password => [...password].length >= LONG)
const words = list.filter(password => WORD.test(password))
const chosen = [...new Set([...long, ...words])].slice(0, COUNT)
const hashes = chosen.map(password => createHash('sha256').update(password).digest().subarray(0, 4))
const packed = Buffer.concat(hashes.toSorted(Buffer.compare)).toString('base64')
const file = join(import.meta.dir, '../src/operations/people/steps/common-passwords.txt')
await Bun.write(file, `${packed.replace(/.{100}/g, '$&\n')}\n`)
