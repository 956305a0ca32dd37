import { expect, test } from 'bun:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import {
  deployCall,
  flushCall,
  forwarderAddress,
  initCode,
  initCodeHash,
  saltOf,
} from '../../../src/networks/evm/forwarder/forwarder.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const SALT = '0x8cb95b4ab0ecf37c99d17d31a179798b8ff679cc210c0456a117df4f4f7c20b3'

const code = initCode(WALLET).slice(2, -40)

/** The opcodes, without the data of PUSH instructions. */
function opcodes(hex: string): number[] {
  const bytes = hexToBytes(hex)
  const found: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const opcode = bytes[at]!
    found.push(opcode)
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return found
}

test('an invalid wallet, or the zero address, has no forwarder', () => {
  const wrong = ['', '0x', WALLET.slice(0, -1), `${WALLET}0`, WALLET.slice(2), `0x${'0'.repeat(40)}`]
  for (const wallet of wrong) {
    expect(() => initCode(wallet)).toThrow()
    expect(() => forwarderAddress(wallet, SALT)).toThrow()
    expect(() => deployCall(wallet, SALT)).toThrow()
  }
})

test('a salt that is not 32 bytes is refused', () => {
  for (const salt of ['', '0x', SALT.slice(0, -2), `${SALT}00`, SALT.slice(2)]) {
    expect(() => forwarderAddress(WALLET, salt)).toThrow()
  }
})

test('the zero address is refused as a token, since it would flush the coin', () => {
  expect(() => flushCall(`0x${'0'.repeat(40)}`)).toThrow()
})

test("the code can't self-destruct, store, delegate calls or read its chain id, and has no recent opcode", () => {
  const forbidden: Record<number, string> = {
    255: 'SELFDESTRUCT',
    244: 'DELEGATECALL',
    242: 'CALLCODE',
    240: 'CREATE',
    245: 'CREATE2',
    85: 'SSTORE',
    84: 'SLOAD',
    70: 'CHAINID',
    50: 'ORIGIN',
    51: 'CALLER',
    95: 'PUSH0',
    94: 'MCOPY',
    92: 'TLOAD',
    93: 'TSTORE',
    72: 'BASEFEE',
  }
  const used = opcodes(code)
    .map(opcode => forbidden[opcode])
    .filter(name => name !== undefined)
  expect(used).toEqual([])
})

// A change of these bytes would cut every allocated address off from its money.
test('the code of a forwarder never changes', () => {
  expect(code.length / 2).toBe(168)
  expect(bytesToHex(sha256(hexToBytes(code)))).toBe(
    'efb608e8f50c44b35cd606e02b6e394683294dbe219539b06bb4a8bad3a64b7b',
  )
})

test('the init code is the code followed by the payout wallet, and nothing else', () => {
  expect(initCode(WALLET)).toBe(`0x${code}${WALLET.slice(2).toLowerCase()}`)
})

// The public deployer returned these addresses on a real EVM.
test.each([
  [
    '0x00000000000000000000000000000000C0FFEE00',
    '0198c0de-0000-7000-8000-000000000001',
    '0xec4cd69b5015c71a4756cb435d509cd9ab667ea3b9b3e12369deb0cb88871bb1',
    '0x19f8feCd5D0689504Df24Ce7E5C9b7a29a5C37c3',
    '0x4f8b9750018dc88e9dedf7e34f95179781c48f5d2de345711af24b569df1a278',
  ],
  [
    WALLET,
    '0198c0de-0000-7000-8000-000000000002',
    SALT,
    '0xAA8C2CfdD8eaef9671Fb5073526E59A57F9159F4',
    '0x21954fa98ed9014f114ba4fe7071fb3ea9de195be8f055f5d9806a6710ee75fc',
  ],
  [
    '0xffffffffffffffffffffffffffffffffffffffff',
    '',
    '0x7d0c82d866c1b8d1588ee123ce96811ff398a56c4bd440b4e63f38ba987ddd66',
    '0x29bC88D3C900091CA1F0B510ffB475751514b665',
    '0x200c68bab14d0fc8c01057cd8cfdd62033e7168ea7cdabc90114d8805540749d',
  ],
])(
  'the wallet %s and the attempt "%s" always have the same address',
  (wallet, attempt, salt, address, hash) => {
    expect(saltOf(attempt)).toBe(salt)
    expect(forwarderAddress(wallet, salt)).toBe(address)
    expect(initCodeHash(wallet)).toBe(hash)
  },
)

test('the calls of a sweep are a salt with an init code, and a padded address', () => {
  expect(deployCall(WALLET, SALT)).toEqual({
    to: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    data: SALT + initCode(WALLET).slice(2),
  })
  expect(flushCall(null)).toBe(`0x${'0'.repeat(64)}`)
  expect(flushCall(WALLET)).toBe(`0x${'0'.repeat(24)}${WALLET.slice(2).toLowerCase()}`)
})
