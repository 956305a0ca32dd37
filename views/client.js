// Copy buttons, the countdown and announcements for screen readers. Pages also work without this file.
;(() => {
  const SECOND_MS = 1000
  let skewMs = Number.NEGATIVE_INFINITY
  let announced = null

  const left = ms => {
    const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
    const minutes = Math.floor(seconds / 60)
    return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
  }

  const tick = () => {
    for (const time of document.querySelectorAll('[data-countdown]')) {
      time.previousElementSibling?.removeAttribute('hidden')
      time.textContent = left(Date.parse(time.dateTime) - Date.now() - skewMs)
    }
  }

  const localTimes = () => {
    for (const time of document.querySelectorAll('time:not([data-countdown])')) {
      const at = new Date(time.dateTime)
      time.textContent = at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
    }
  }

  const announce = () => {
    const message = document.querySelector('#checkout [data-announce]')?.dataset.announce
    if (!message || message === announced) return
    const live = document.getElementById('live')
    if (announced !== null && live) live.textContent = message
    announced = message
  }

  // The page has the server's time of its first byte. On a slow line that was long before this script runs.
  const pageArrivedAt = () =>
    performance.timeOrigin +
    (performance.getEntriesByType('navigation')[0]?.responseStart ?? performance.now())

  const refresh = arrivedAt => {
    const checkout = document.getElementById('checkout')
    // Responses take time to arrive, so the largest difference is the most accurate.
    if (checkout) skewMs = Math.max(skewMs, Date.parse(checkout.dataset.now) - arrivedAt)
    for (const button of document.querySelectorAll('.copy[hidden]')) button.hidden = !navigator.clipboard
    localTimes()
    tick()
    announce()
  }

  document.addEventListener('click', async event => {
    const button = event.target.closest?.('.copy')
    if (!button) return
    await navigator.clipboard.writeText(button.dataset.copy)
    const live = document.getElementById('live')
    if (live) live.textContent = 'Copied'
    button.classList.add('done')
    setTimeout(() => button.classList.remove('done'), 2 * SECOND_MS)
  })
  document.addEventListener('htmx:after:swap', () => refresh(Date.now()))
  document.addEventListener('DOMContentLoaded', () => refresh(pageArrivedAt()))
  setInterval(tick, SECOND_MS)
})()
