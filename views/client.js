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

  const WARN_MS = 5 * 60 * SECOND_MS
  let hasWarned = false

  // Warns only once, so that a screen reader is not interrupted every second.
  const warn = ({ dataset, dateTime }) => {
    const leftMs = Date.parse(dateTime) - Date.now() - skewMs
    if (hasWarned || leftMs <= 0 || leftMs > WARN_MS) return
    hasWarned = true
    say(dataset.warning)
  }

  const tick = () => {
    for (const bar of document.querySelectorAll('.bar')) {
      const until = Date.parse(bar.dataset.until)
      const share = (until - Date.now() - skewMs) / (until - Date.parse(bar.dataset.from))
      bar.style.setProperty('--left', `${Math.max(0, Math.min(1, share)) * 100}%`)
    }
    for (const time of document.querySelectorAll('[data-countdown]')) {
      time.previousElementSibling?.removeAttribute('hidden')
      time.textContent = left(Date.parse(time.dateTime) - Date.now() - skewMs)
      time.classList.add('running')
      warn(time)
    }
  }

  // Dates are in the page's language; for English, in the browser's variant, which orders day and month.
  const { lang } = document.documentElement
  const dateTag = (lang === 'en' && navigator.languages.find(tag => tag.startsWith('en'))) || lang
  const numberingSystem = 'latn'

  // A time with its zone is as wide as the server's text, so that lines break at the same places.
  const withZone = (at, format) => {
    const named = new Intl.DateTimeFormat(dateTag, { timeZoneName: 'short' }).formatToParts(at)
    const zone = named.find(({ type }) => type === 'timeZoneName').value
    return `${at.toLocaleString(dateTag, { ...format, hourCycle: 'h23' })} ${zone}`
  }

  const localTime = (at, { clock, zone }) => {
    if (clock !== undefined) return at.toLocaleTimeString(dateTag, { numberingSystem })
    const format = { dateStyle: 'medium', timeStyle: 'short', numberingSystem }
    return zone === undefined ? at.toLocaleString(dateTag, format) : withZone(at, format)
  }

  const localTimes = () => {
    for (const time of document.querySelectorAll('time:not([data-countdown])')) {
      time.textContent = localTime(new Date(time.dateTime), time.dataset)
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

  // The arrival of the page's first byte, whose server time the page contains. On a slow connection, this
  // script runs long after it.
  const pageArrivedAt = () =>
    performance.timeOrigin +
    (performance.getEntriesByType('navigation')[0]?.responseStart ?? performance.now())

  const refresh = arrivedAt => {
    const checkout = document.getElementById('checkout')
    // Responses take time to arrive, so the largest difference is the most accurate.
    if (checkout) skewMs = Math.max(skewMs, Date.parse(checkout.dataset.now) - arrivedAt)
    if (checkout) document.title = checkout.dataset.title
    for (const hidden of document.querySelectorAll('.copy[hidden], .filter[hidden], [data-print]'))
      hidden.hidden = false
    if (filterField()?.value) filterRows(filterField())
    localTimes()
    tick()
    announce()
    void offerWallets()
  }

  const setLost = isLost => {
    const line = document.getElementById('lost')
    if (line) line.hidden = !isLost
  }

  // A browser wallet announces itself each time it is asked. The script for wallets is loaded only then.
  const wallets = new Map()

  const offerWallets = async () => {
    const place = document.querySelector('[data-wallets]')
    if (!place || wallets.size === 0) return
    const { offer } = await import(place.dataset.script)
    offer(wallets.values(), say)
  }

  addEventListener('eip6963:announceProvider', ({ detail }) => {
    wallets.set(detail.info.uuid, detail)
    void offerWallets()
  })

  // If a focused element was removed, the focus is in the body, and a screen reader would start over.
  const restoreFocus = () => {
    if (focused && !focused.isConnected) {
      const heading = document.querySelector('#checkout h2')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
    focused = null
  }

  // For browsers that give no access to the clipboard: on plain http, or if the reader denies it.
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

  // A tap anywhere on a row copies it, unless the reader selects a part of it.
  const copyButton = target =>
    target.closest?.('.copy') ??
    (String(getSelection()) === '' ? target.closest?.('[data-copies]')?.querySelector('.copy') : null)

  document.addEventListener('click', async event => {
    if (event.target.closest?.('[data-print]')) print()
    const button = copyButton(event.target)
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
    const { status } = event.detail.ctx.response
    setLost(status >= 500)
    // The order is no longer shown, for example because its shop was suspended. The page says why.
    if (status === 404) location.reload()
  })
  // A long choice can be filtered: rows without the words are hidden, and folded lists open. The labels of
  // chips are added, because they are not in the text of the page.
  const textOf = row =>
    [...row.querySelectorAll('.chips')].reduce(
      (text, { ariaLabel }) => `${text} ${ariaLabel}`,
      row.textContent,
    )

  // Latin words match from their start: "eth" is Ethereum, not Tether. Other scripts may have no spaces.
  const wordsOf = text =>
    (text.match(/\S+/g) ?? []).map(
      word => new RegExp(`(^|[^a-z0-9])${word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`, 'iu'),
    )

  const matches = (row, words) => words.every(word => word.test(textOf(row)))

  const filterRows = field => {
    const words = wordsOf(field.value)
    for (const row of document.querySelectorAll('.methods > li')) {
      const coin = row.closest('.networks')?.closest('li')
      const name = coin?.querySelector('summary')
      row.hidden = !matches(row, words) && !(name && matches(name, words))
    }
    for (const list of document.querySelectorAll('#checkout section, #checkout .more')) {
      list.hidden = !list.querySelector('li:not([hidden])')
    }
    for (const fold of document.querySelectorAll('.more, .methods details')) {
      if (words.length > 0 && !fold.closest('[hidden]')) fold.open = true
      else if (field.dataset.used) fold.open = false
    }
    field.dataset.used = words.length > 0 ? 'yes' : ''
    const none = document.querySelector('.none')
    if (none) none.hidden = document.querySelector('#checkout section:not([hidden])') !== null
  }

  const filterField = () => document.getElementById('filter')

  document.addEventListener('input', event => {
    if (event.target === filterField()) filterRows(event.target)
  })
  document.addEventListener('DOMContentLoaded', () => {
    refresh(pageArrivedAt())
    if (document.querySelector('[data-wallets]')) dispatchEvent(new Event('eip6963:requestProvider'))
  })
  setInterval(tick, SECOND_MS)
}
