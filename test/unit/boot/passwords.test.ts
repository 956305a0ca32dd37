import { expect, test } from 'bun:test'
import { makePasswords } from '../../../src/boot/passwords.ts'

test('a hash costs what OWASP recommends, and only the right password matches it', async () => {
  const passwords = makePasswords()
  const hash = await passwords.hash('a password of the shop')
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await passwords.verify('a password of the shop', hash, false)).toBe(true)
  expect(await passwords.verify('another password', hash, true)).toBe(false)
})

test('a password for an unknown address is compared as well, and never accepted', async () => {
  expect(await makePasswords().verify('a password that nobody has', null, false)).toBe(false)
})

test('more than a few hashes at once are refused', async () => {
  const passwords = makePasswords({ memoryCost: 64, timeCost: 1 })
  const asked = Array.from({ length: 20 }, () => passwords.hash('a password of the shop'))
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(2)
  expect(await passwords.hash('again')).toStartWith('$argon2id$')
})

test('known browsers do not wait behind a flood of strangers', async () => {
  const passwords = makePasswords({ memoryCost: 64, timeCost: 1 })
  const hash = await passwords.hash('a password of the shop')
  const order: string[] = []
  const check = async (who: string, isKnown: boolean) => {
    const isRight = await passwords.verify('a password of the shop', hash, isKnown)
    order.push(who)
    return isRight
  }
  const flood = Promise.allSettled(Array.from({ length: 30 }, () => check('stranger', false)))
  expect(await check('known', true)).toBe(true)
  expect((await flood).filter(({ status }) => status === 'rejected')).toHaveLength(12)
  expect([order.length, order.indexOf('known') < 6]).toEqual([19, true])
})
