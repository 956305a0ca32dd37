// Shows the checkout on a page of the shop, over it or in an element of it:
//   const checkout = Florin.open('https://pay.shop.example/pay/…', { onEvent: event => { … } })
//   Florin.open(url, { into: document.querySelector('#pay') })
// An event is { type: 'ready' | 'state' | 'paid' | 'closed', state }. It comes from the buyer's browser: ship
// only what your server learned from the webhook. If the checkout may not be shown here, the browser leaves
// the page for it.
{
  const READY_MS = 8000
  const { origin: own } = new URL(document.currentScript.src)

  const addressOf = url => {
    const address = new URL(url)
    if (address.origin === own && address.pathname.startsWith('/pay/')) return address.href
    throw new TypeError(`Florin.open needs the checkoutUrl of an order on ${own}`)
  }

  const frameOf = address => {
    const frame = document.createElement('iframe')
    frame.title = 'Checkout'
    frame.allow = 'clipboard-write'
    Object.assign(frame.style, { display: 'block', width: '100%', height: '36rem', border: '0' })
    frame.src = address
    return frame
  }

  const dialogOf = (frame, onClose) => {
    const dialog = document.createElement('dialog')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = '\u00d7'
    button.ariaLabel = 'Close'
    const corner = { position: 'absolute', top: '0.25rem', insetInlineEnd: '0.25rem', zIndex: 1 }
    Object.assign(button.style, corner, { font: '1.5rem/1 sans-serif', width: '2.75rem', height: '2.75rem' })
    Object.assign(button.style, { border: 0, background: 'none', color: 'CanvasText', cursor: 'pointer' })
    const box = { width: 'min(60rem, 100vw)', maxWidth: '100vw', maxHeight: '100dvh' }
    Object.assign(dialog.style, box, { padding: 0, border: 0, borderRadius: '0.75rem', overflow: 'auto' })
    dialog.append(button, frame)
    button.onclick = () => dialog.close()
    dialog.onclose = onClose
    document.body.append(dialog)
    dialog.showModal()
    return dialog
  }

  const open = (url, { into, onEvent = () => {} } = {}) => {
    const address = addressOf(url)
    const frame = frameOf(address)
    let dialog = null
    const end = () => {
      clearTimeout(timer)
      removeEventListener('message', receive)
      ;(dialog ?? frame).remove()
    }
    const receive = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== own || !data?.florin) return
      clearTimeout(timer)
      const { type, height, state } = data.florin
      if (type === 'height') frame.style.height = `${Math.min(Math.max(Number(height) || 0, 200), 10000)}px`
      else onEvent({ type, state })
    }
    const timer = setTimeout(() => {
      end()
      location.assign(address)
    }, READY_MS)
    const close = () => {
      end()
      onEvent({ type: 'closed' })
    }
    addEventListener('message', receive)
    if (into) into.append(frame)
    else dialog = dialogOf(frame, close)
    return { close: () => (dialog ? dialog.close() : close()) }
  }

  window.Florin = { open }
}
