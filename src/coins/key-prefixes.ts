import type { KeyPrefix } from './types.ts'

/** The prefix that most coins use. It does not say which script the key is for. */
export const xpub: KeyPrefix = { name: 'xpub', version: 0x0488b21e, script: null }
export const ypub: KeyPrefix = { name: 'ypub', version: 0x049d7cb2, script: 'p2sh-p2wpkh' }
export const zpub: KeyPrefix = { name: 'zpub', version: 0x04b24746, script: 'p2wpkh' }
