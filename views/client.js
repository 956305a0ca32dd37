// Copy buttons, the countdown and announcements for screen readers. Pages also work without this file.
{
  const SECOND_MS = 1000
  let skewMs = Number.NEGATIVE_INFINITY
  let announced = null
  let focused = null

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

  // The page's language, for English with the order of day and month that the browser prefers.
  const { lang } = document.documentElement
  const dateTag = (lang === 'en' && navigator.languages.find(tag => tag.startsWith('en'))) || lang
  const numberingSystem = 'latn'

  const localTimes = () => {
    for (const time of document.querySelectorAll('time:not([data-countdown])')) {
      const at = new Date(time.dateTime)
      time.textContent =
        'clock' in time.dataset
          ? at.toLocaleTimeString(dateTag, { numberingSystem })
          : at.toLocaleString(dateTag, { dateStyle: 'medium', timeStyle: 'short', numberingSystem })
    }
  }

  const say = message => {
    const live = document.getElementById('live')
    if (live) live.textContent = message
  }

  const announce = () => {
    const messages = [...document.querySelectorAll('#checkout [data-announce]')].map(
      element => element.dataset.announce,
    )
    const added = messages.filter(message => !announced?.includes(message))
    if (announced !== null && added.length > 0) say(added.join(' '))
    announced = messages
  }

  // The page has the server's time of its first byte. On a slow line that was long before this script runs.
  const pageArrivedAt = () =>
    performance.timeOrigin +
    (performance.getEntriesByType('navigation')[0]?.responseStart ?? performance.now())

  const refresh = arrivedAt => {
    const checkout = document.getElementById('checkout')
    // Responses take time to arrive, so the largest difference is the most accurate.
    if (checkout) skewMs = Math.max(skewMs, Date.parse(checkout.dataset.now) - arrivedAt)
    if (checkout) document.title = checkout.dataset.title
    for (const button of document.querySelectorAll('.copy[hidden]')) button.hidden = false
    localTimes()
    tick()
    announce()
  }

  const setLost = isLost => {
    const line = document.getElementById('lost')
    if (line) line.hidden = !isLost
  }

  // A removed element loses the focus to the body, where a screen reader starts over.
  const restoreFocus = () => {
    if (focused && !focused.isConnected) {
      const heading = document.querySelector('#checkout h2')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
    focused = null
  }

  // Browsers give no access to the clipboard on plain http, or if the reader denies it.
  const copySelected = element => {
    getSelection().selectAllChildren(element)
    return document.execCommand('copy')
  }

  const copy = async button => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      return true
    } catch {
      return copySelected(button.parentElement.querySelector('.code'))
    }
  }

  document.addEventListener('click', async event => {
    const button = event.target.closest?.('.copy')
    if (!button) return
    const isCopied = await copy(button)
    const texts = document.getElementById('live').dataset
    say(isCopied ? texts.copied : texts.copySelection)
    button.firstChild.data = isCopied ? texts.copied : texts.selected
    button.classList.add('done')
    setTimeout(() => {
      button.classList.remove('done')
      button.firstChild.data = texts.copy
    }, 2 * SECOND_MS)
  })
  document.addEventListener('htmx:before:swap', () => {
    focused = document.activeElement?.closest('#checkout') ? document.activeElement : null
  })
  document.addEventListener('htmx:after:swap', () => {
    refresh(Date.now())
    restoreFocus()
  })
  document.addEventListener('htmx:error', () => setLost(true))
  document.addEventListener('htmx:after:request', event => {
    setLost(event.detail.ctx.response.status >= 500)
  })
  document.addEventListener('DOMContentLoaded', () => refresh(pageArrivedAt()))
  setInterval(tick, SECOND_MS)
}
