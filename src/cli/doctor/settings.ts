import { readGatewayKeys } from '../../boot/gateway-keys.ts'
import { networksOf } from '../../boot/networks.ts'
import { SettingsError } from '../../settings/read.ts'
import { type Check, fault, good, warning } from './finding.ts'

const anyAddress = /\/0$/
const isHere = (host: string): boolean => /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(host)

export const checkoutAddress: Check = ({ settings, rows }) => {
  if (settings.sandbox) return []
  const check = 'checkout address'
  const url = new URL(
    settings.checkoutUrl || `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}`,
  )
  const remedy = 'Set FLORIN_CHECKOUT_URL to the https address of your reverse proxy.'
  if (isHere(url.hostname)) {
    const isLive = rows?.merchants.some(({ hasLiveKey }) => hasLiveKey)
    const message = isLive ? 'A live key exists, but buyers' : 'Buyers'
    return [warning(check, `${message} on other machines cannot reach ${url.origin}.`, remedy)]
  }
  if (url.protocol === 'https:') return [good(check, url.origin)]
  return [
    fault(
      check,
      `${url.origin} is not encrypted: an attacker could replace a payment address in transit.`,
      remedy,
    ),
  ]
}

export const trustedProxies: Check = ({
  settings: { trustedProxies: trusted, checkoutUrl, publicRateLimit, domains },
}) => {
  const check = 'trusted proxies'
  const open = trusted.filter(range => anyAddress.test(range))
  if (open.length > 0) {
    const message = `FLORIN_TRUSTED_PROXIES contains ${open.join(', ')}: any client can forge its address.`
    return [fault(check, message, "List only your reverse proxy's address, such as 127.0.0.1.")]
  }
  // With a domain, buyers connect to Florin itself.
  const isDirect = !checkoutUrl.startsWith('https:') || domains.length > 0
  if (isDirect || trusted.length > 0 || publicRateLimit === 0) return [good(check)]
  const message = 'No reverse proxy is trusted, so all buyers share one rate limit.'
  return [warning(check, message, "Set FLORIN_TRUSTED_PROXIES to your proxy's address, such as 127.0.0.1.")]
}

export const assetsFile: Check = ({ settings, platform }) => {
  if (settings.assetsFile === '') return []
  try {
    networksOf(settings, platform, platform.now, null)
    return [good('assets file', settings.assetsFile)]
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [
      fault(
        'assets file',
        error.message,
        'Correct the file, or the path in FLORIN_ASSETS_FILE. Florin does not start until then.',
      ),
    ]
  }
}

export const gatewayKeys: Check = ({ settings: { gatewayPublicKeys: items, gatewayUrl, sandbox } }) => {
  const check = 'gateway keys'
  if (items.length === 0) {
    const message = 'None are configured, so the gateway is asked about each callback.'
    return gatewayUrl === '' || sandbox ? [] : [good(check, message)]
  }
  const { keys, problems } = readGatewayKeys(items)
  const remedy = 'Correct FLORIN_GATEWAY_PUBLIC_KEYS or the file. Florin does not start until then.'
  if (problems.length === 0) return [good(check, [...keys.keys()].join(', '))]
  return problems.map(problem => fault(check, `${problem}.`, remedy))
}
