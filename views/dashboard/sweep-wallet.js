// Has a wallet in the browser sign the transactions of a sweep in their order (EIP-1193, EIP-6963).

const REJECTED = 4001
const UNKNOWN_CHAIN = 4902
const POLL_MS = 1000
const POLLS_MAX = 600

const place = document.querySelector('[data-calls]')
const texts = place.dataset
const calls = JSON.parse(texts.calls)
const status = place.querySelector('[role=status]')
const buttons = new Map()

// The first transaction that is not done. It is kept, so that nothing is sent twice after an error.
let next = 0
// The hash of that one once it was sent.
let sent = null

const say = text => {
  status.textContent = text.replace('{done}', next).replace('{all}', calls.length)
}

const problemOf = ({ code, data, message }) => {
  if (message === 'reverted') return 'reverted'
  if (code === REJECTED) return 'rejected'
  return (data?.originalError?.code ?? code) === UNKNOWN_CHAIN ? 'chain' : 'failed'
}

const useChain = async (wallet, chainId) => {
  const isCurrent = async () => BigInt(await wallet.request({ method: 'eth_chainId' })) === BigInt(chainId)
  if (await isCurrent()) return
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  await wallet.request({ method: 'wallet_switchEthereumChain', params })
  if (!(await isCurrent())) throw { code: UNKNOWN_CHAIN }
}

// The next transaction needs the contract that this one deploys.
const mined = async (wallet, hash) => {
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const receipt = await wallet.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt) return BigInt(receipt.status) === 1n
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  throw new Error('not mined')
}

// So that the fee is read from the chain later. Nothing depends on it.
const note = (chainId, hash) => {
  const form = document.querySelector('#sent')
  const chain = JSON.parse(texts.chains)[chainId]
  if (!form || !chain) return
  const body = new URLSearchParams(new FormData(form))
  body.set('chain', chain)
  body.set('transactions', hash)
  fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => {})
}

const sendNext = async (wallet, from) => {
  const { action, chainId, to, data } = calls[next]
  await useChain(wallet, chainId)
  if (sent === null) {
    const params = [{ from, to, data, value: '0x0' }]
    sent = await wallet.request({ method: 'eth_sendTransaction', params })
    note(chainId, sent)
  }
  if (action === 'deploy' && !(await mined(wallet, sent))) {
    sent = null
    throw new Error('reverted')
  }
  next++
  sent = null
}

const sendAll = async wallet => {
  for (const button of buttons.values()) button.disabled = true
  say(texts.open)
  try {
    const [from] = await wallet.request({ method: 'eth_requestAccounts' })
    while (next < calls.length) {
      await sendNext(wallet, from)
      say(texts.open)
    }
    say(texts.sent)
  } catch (error) {
    say(texts[problemOf(error)])
    for (const button of buttons.values()) button.disabled = false
  }
}

addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
  if (buttons.has(info.uuid)) return
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = texts.sign.replace('{wallet}', info.name.slice(0, 40))
  button.addEventListener('click', () => sendAll(provider))
  buttons.set(info.uuid, button)
  place.querySelector('.row').append(button)
  place.querySelector('.no-wallet').hidden = true
})
dispatchEvent(new Event('eip6963:requestProvider'))
