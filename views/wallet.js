// Pays with browser wallets (EIP-1193). Loaded when one announces itself (EIP-6963).

const REJECTED = 4001
const UNKNOWN_CHAIN = 4902
const TRANSFER = '0xa9059cbb'

const hex = value => `0x${BigInt(value).toString(16)}`
const word = value => BigInt(value).toString(16).padStart(64, '0')

// "ethereum:0x…@1?value=5", or "ethereum:0x…@1/transfer?address=0x…&uint256=5" for a token (ERC-681).
const transactionOf = uri => {
  const [, to, chain, call, query] = /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(\/transfer)?\?(.*)$/.exec(uri)
  const parameters = new URLSearchParams(query)
  const payment = call
    ? { to, value: '0x0', data: TRANSFER + word(parameters.get('address')) + word(parameters.get('uint256')) }
    : { to, value: hex(parameters.get('value')) }
  return { chainId: hex(chain), payment }
}

const problemOf = ({ code, data }) => {
  if (code === REJECTED) return 'rejected'
  return (data?.originalError?.code ?? code) === UNKNOWN_CHAIN ? 'chain' : 'failed'
}

const send = async (wallet, uri) => {
  const { chainId, payment } = transactionOf(uri)
  const [from] = await wallet.request({ method: 'eth_requestAccounts' })
  const current = await wallet.request({ method: 'eth_chainId' })
  if (BigInt(current) !== BigInt(chainId)) {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  }
  return wallet.request({ method: 'eth_sendTransaction', params: [{ from, ...payment }] })
}

// States by payment: the page may be replaced while the buyer confirms.
const states = new Map()
const offered = new Map()
let say

const placeOf = () => document.querySelector('[data-wallets]')
const keyOf = ({ dataset: { order, wallets } }) => `${order} ${wallets}`

// Until the chain shows a payment, only this tab knows that it was sent. A browser may refuse the storage.
const stateOf = key => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key))
    const isSent = ['open', 'sent', 'twice'].includes(kept?.step)
    return states.get(key) ?? { ...kept, isSent }
  } catch {
    return states.get(key) ?? {}
  }
}

const draw = () => {
  const place = placeOf()
  if (!place) return
  const { dataset: texts, lastElementChild: note } = place
  const { step, hash, isSent } = stateOf(keyOf(place))
  const [text, code, link] = note.children
  const isHash = /^0x[0-9a-f]{64}$/i.test(hash)
  text.textContent = texts[step] ?? ''
  code.textContent = isHash ? `${hash.slice(0, 10)}…${hash.slice(-6)}` : ''
  link.hidden = !(isHash && texts.transaction)
  link.href = texts.transaction.replace('{txId}', hash)
  for (const [uuid, { info }] of offered) {
    const known = [...place.children].find(({ dataset }) => dataset.wallet === uuid)
    const button = known ?? place.insertBefore(document.createElement('button'), note)
    button.type = 'button'
    button.className = isSent ? 'button quiet' : 'button'
    button.dataset.wallet = uuid
    button.disabled = step === 'open' && !isSent
    button.textContent = (isSent ? texts.again : texts.pay).replace('{wallet}', () => info.name.slice(0, 40))
    button.onclick = () => press(uuid)
  }
}

const enter = (key, state) => {
  states.set(key, state)
  try {
    sessionStorage.setItem(key, JSON.stringify(state))
  } catch {}
  draw()
  const place = placeOf()
  if (place && keyOf(place) === key) say(place.dataset[state.step])
}

const press = async uuid => {
  const place = placeOf()
  const key = keyOf(place)
  const { hash, isSent } = stateOf(key)
  // A second payment takes two clicks.
  if (isSent) return enter(key, { step: 'twice', hash })
  enter(key, { step: 'open', hash })
  try {
    const sent = await send(offered.get(uuid).provider, place.dataset.wallets)
    enter(key, { step: 'sent', hash: sent, isSent: true })
  } catch (error) {
    enter(key, hash ? { step: 'sent', hash, isSent: true } : { step: problemOf(error) })
  }
}

/** Adds a button for each wallet. `speak` announces a text to screen readers. */
export const offer = (wallets, speak) => {
  for (const detail of wallets) offered.set(detail.info.uuid, detail)
  say = speak
  draw()
}
