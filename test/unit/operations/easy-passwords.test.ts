import { expect, test } from 'bun:test'
import { isEasyToGuess } from '../../../src/operations/people/steps/check-password.ts'
import { words } from '../../support/words.ts'

const known = words('müllerkaffee müller kaffee florin')

const easy = words(`
  1234567890 0987654321 qwertyuiop passwordpassword Password1! P@ssw0rd123 password2024 Dragon-2024
  abcdefghijkl dragon.dragon abcabcabcabc abcdabcdabcd 1q2w3e4r5t basketball monkey1234567890 florin2024!!
  FlorinFlorin Fl0rin2024! müllerkaffee1 Kaffee-Müller kaffeepassword florin-basketball
`)

const hard = [
  ...words(
    'correct-horse-battery Tr0ub4dor&3-zebra vq7tzmw2xk 8Kd92-fQpl1 kaffee-vq7tzm müllers-blaue-ziege',
  ),
  ...['correct horse battery', 'a few words in a row', 'ein paar Wörter in Folge', 'another long password'],
]

test('common passwords and names are easy to guess, even with decorations', () => {
  expect(easy.filter(password => !isEasyToGuess(password, known))).toEqual([])
})

test('a few words, and random characters, are not easy to guess', () => {
  expect(hard.filter(password => isEasyToGuess(password, known))).toEqual([])
})
