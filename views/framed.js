// Reports the height and state of this page to /florin.js, if it is in a frame on a page of the shop. Only
// origins that the shop listed receive anything.
{
  const listed = document.currentScript.dataset.origins.split(' ')
  const shown = location.ancestorOrigins?.[0]
  const send = message => {
    for (const origin of listed)
      if (!shown || shown === origin) window.parent.postMessage({ florin: message }, origin)
  }

  const stateOf = () => document.querySelector('#checkout')?.dataset.state ?? null

  let state = null
  const report = () => {
    const now = stateOf()
    if (now !== state && now !== null) send({ type: now === 'paid' ? 'paid' : 'state', state: now })
    state = now
    // A link to another site, such as back to the shop, leaves the frame.
    for (const link of document.querySelectorAll('a[href^="http"]:not([target])')) {
      if (new URL(link.href).origin !== location.origin) link.target = '_top'
    }
  }

  if (window.parent !== window) {
    send({ type: 'ready' })
    new ResizeObserver(() => send({ type: 'height', height: document.body.scrollHeight })).observe(
      document.body,
    )
    new MutationObserver(report).observe(document.body, { subtree: true, childList: true, attributes: true })
    report()
  }
}
