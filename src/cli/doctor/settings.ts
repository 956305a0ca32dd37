import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { networksOf } from '../../boot/networks.ts'
import { SettingsError } from '../../settings/read.ts'
import { type Check, fault, good, orGood, warning } from './finding.ts'

const everybody = /\/0$/
const isHere = (host: string): boolean => /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(host)

export const checkoutAddress: Check = ({ settings, rows }) => {
  if (settings.sandbox) return []
  const check = 'checkout address'
  const url = new URL(
    settings.checkoutUrl || `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}`,
  )
  const remedy = 'Set FLORIN_CHECKOUT_URL to the https address that your reverse proxy serves.'
  if (isHere(url.hostname)) {
    const isLive = rows?.merchants.some(({ hasLiveKey }) => hasLiveKey)
    const message = isLive ? 'There is a live key, but buyers' : 'Buyers'
    return [warning(check, `${message} elsewhere cannot reach ${url.origin}.`, remedy)]
  }
  if (url.protocol === 'https:') return [good(check, url.origin)]
  return [
    fault(check, `${url.origin} is not encrypted: a payment address could be exchanged on its way.`, remedy),
  ]
}

export const trustedProxies: Check = ({
  settings: { trustedProxies: trusted, checkoutUrl, publicRateLimit },
}) => {
  const check = 'trusted proxies'
  const open = trusted.filter(range => everybody.test(range))
  if (open.length > 0) {
    const message = `FLORIN_TRUSTED_PROXIES holds ${open.join(', ')}: everybody can choose his address.`
    return [fault(check, message, "Name your reverse proxy's address alone, such as 127.0.0.1.")]
  }
  if (!checkoutUrl.startsWith('https:') || trusted.length > 0 || publicRateLimit === 0) return [good(check)]
  const message = 'There is a reverse proxy, and none is trusted: all buyers share one limit of requests.'
  return [warning(check, message, 'Set FLORIN_TRUSTED_PROXIES to its address, such as 127.0.0.1.')]
}

export const assetsFile: Check = ({ settings, platform }) => {
  if (settings.assetsFile === '') return []
  try {
    networksOf(settings, platform, platform.now, null)
    return [good('assets file', settings.assetsFile)]
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [fault('assets file', error.message, 'Correct the file, or the setting; Florin does not start.')]
  }
}

function keyFault(item: string): string | null {
  const [id = '', file = ''] = item.split('=')
  if (id === '' || file === '') return `${item} is not ID=FILE.`
  try {
    createPublicKey(readFileSync(file))
    return null
  } catch (error) {
    return `${file} holds no public key in PEM (${(error as Error).message}).`
  }
}

export const gatewayKeys: Check = ({ settings: { gatewayPublicKeys: keys } }) => {
  if (keys.length === 0) return []
  const check = 'gateway keys'
  const remedy = 'Correct FLORIN_GATEWAY_PUBLIC_KEYS, or the file: callbacks could not be proven.'
  const faults = keys.map(keyFault).filter(words => words !== null)
  return orGood(
    check,
    faults.map(words => fault(check, words, remedy)),
  )
}
