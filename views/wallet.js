// Pays with a wallet in the browser (EIP-1193). Loaded when a wallet announces itself (EIP-6963).

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
  await wallet.request({ method: 'eth_sendTransaction', params: [{ from, ...payment }] })
}

// By payment. The page may be replaced while the buyer confirms in the wallet.
const states = new Map()

/** Adds a button for a wallet. The page says with `say` what happened. */
export const offer = ({ info, provider }, place, say) => {
  const texts = place.dataset
  const uri = texts.wallets
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.dataset.wallet = info.uuid
  button.textContent = texts.pay.replace('{wallet}', info.name.slice(0, 40))
  const status = document.createElement('p')
  status.className = 'hint'
  const show = state => {
    states.set(uri, state)
    // A payment that may have been sent is not offered again.
    button.disabled = ['open', 'sent'].includes(state)
    status.textContent = texts[state]
  }
  if (states.has(uri)) show(states.get(uri))
  const report = state => {
    show(state)
    say(texts[state])
  }
  button.addEventListener('click', async () => {
    report('open')
    try {
      await send(provider, uri)
      report('sent')
    } catch (error) {
      report(problemOf(error))
    }
  })
  place.append(button, status)
}
