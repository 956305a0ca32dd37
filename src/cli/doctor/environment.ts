import { type Check, orGood, warning } from './finding.ts'

/** Variables that the JavaScript runtime of the executable reads before Florin starts. */
const risks: Record<string, string> = {
  BUN_OPTIONS: 'can run code inside Florin',
  NODE_OPTIONS: 'is not meant for Florin, and can run code inside other programs',
  BUN_BE_BUN: 'makes the executable run other code instead of Florin',
  BUN_INSPECT: 'lets debuggers run code inside Florin',
  BUN_INSPECT_CONNECT_TO: 'lets a debugger run code inside Florin',
  BUN_INSPECT_PRELOAD: 'can run code inside Florin',
  BUN_CONFIG_VERBOSE_FETCH: 'prints requests to endpoints, with their keys',
}

const NO_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED'

const remedyOf = (name: string): string =>
  `Unset ${name} for this command and for the server, unless you set it on purpose.`

/**
 * Warns of variables with which others can influence Florin. A server started from the same environment has
 * them too.
 */
export const environment: Check = ({ environment: variables }) => {
  const check = 'environment'
  const found = Object.entries(risks).filter(([name]) => variables[name])
  const all = variables[NO_TLS] === '0' ? [...found, [NO_TLS, 'turns off the checks of certificates']] : found
  return orGood(
    check,
    all.map(([name = '', risk]) => warning(check, `${name} is set: it ${risk}.`, remedyOf(name))),
  )
}
