export const order = {
  title: (name: string) => `Bestellung ${name}`,
  back: 'Alle Bestellungen',
  facts: {
    amount: 'Betrag',
    received: 'Erhalten',
    waiting: 'Wartet auf Ihre Entscheidung',
    settlement: 'Abschluss',
    parts: 'Teile',
    fee: 'Gebühr des Betreibers',
    net: 'Nach dieser Gebühr',
    refunded: 'Erstattet',
    id: 'Bestell-ID',
    externalId: 'Bestellnummer',
    description: 'Beschreibung',
    product: 'Produkt',
    customer: 'Kunde',
    created: 'Angelegt',
    expires: 'Zahlbar bis',
    paid: 'Bezahlt',
    methods: 'Zahlungsarten',
    metadata: 'Metadaten',
  },
  fees: {
    of: (amount: string, percent: string) => `${amount} (${percent} %)`,
    collected: 'Der Zahlungsanbieter hat sie von der Zahlung abgezogen und weitergegeben.',
    recorded: 'Sie wurde nur vermerkt und nicht von der Zahlung abgezogen.',
    others:
      'Der Betreiber dieses Servers legt sie fest. Gebühren von Netzwerken und Zahlungsanbietern ' +
      'sind nicht enthalten.',
  },
  sums: {
    left: (amount: string) => `${amount} fehlen noch`,
    confirmed: (amount: string) => `${amount} davon sind bestätigt`,
    unknown: 'Eine Zahlung, deren Wert nicht bekannt ist',
    part: (amount: string, coins: string) => `${amount}: ${coins}`,
  },
  everyMethod: 'Alle verfügbaren',
  link: 'Zahlungslink',
  linkHint: 'Senden Sie ihn dem Kunden. Er gilt, solange die Bestellung unbezahlt ist.',
  qr: 'QR-Code des Zahlungslinks',
  done: {
    created: 'Die Bestellung ist angelegt. Senden Sie dem Kunden ihren Link.',
    cancelled: 'Die Bestellung ist storniert.',
    ended: 'Die Bestellung ist beendet.',
    checked: 'Alle Zahlungen wurden erneut geprüft.',
    refunded: 'Die Erstattung ist eingetragen.',
    forced: 'Die Bestellung ist als bezahlt markiert.',
    accepted: 'Die Zahlung ist angenommen, die Bestellung ist bezahlt.',
    resent: 'Das Ereignis wird erneut gesendet.',
    noted: 'Die Notiz ist gespeichert.',
  },
  overpaid: (extra: string) =>
    `Der Kunde hat ${extra} zu viel bezahlt. Wenn er das Geld zurückhaben möchte, fragen Sie nach ` +
    'einer Adresse und senden Sie es aus Ihrer Wallet. Schreiben Sie dann hier eine Notiz. Tragen Sie ' +
    'es nicht als Erstattung ein: Eine Erstattung ist ein Teil des Bestellbetrags.',
  paidTwice:
    'Der Kunde hat noch einmal bezahlt, nachdem die Bestellung bezahlt war. Was angekommen ist, ' +
    'steht unten unter „Zahlungen, die die Bestellung ' +
    'nicht beglichen haben“. Senden Sie es aus Ihrer Wallet zurück, und markieren Sie es unter „Nicht ' +
    'zugeordnete Zahlungen“ als erledigt.',
  partPaid:
    'Ein Teil des Betrags fehlt noch. Die Bezahlseite bittet den Kunden um den Rest. Wenn er nicht ' +
    'kommt, steht ' +
    'hier nach Ablauf der Zahlungsfrist, was Sie tun können.',
  unreachable: (problems: string) => `Nicht alles konnte geprüft werden: ${problems}`,
  actions: 'Aktionen',
  check: 'Zahlungen jetzt prüfen',
  cancel: { title: 'Bestellung stornieren', reason: 'Grund (optional)', submit: 'Bestellung stornieren' },
  end: {
    title: 'Bestellung jetzt beenden',
    hint:
      'Sie lässt sich nicht stornieren, weil der Kunde schon eine Zahlung begonnen hat. Zahlungen, die bis ' +
      'jetzt erkannt wurden, zählen noch.',
    submit: 'Bestellung jetzt beenden',
    ask: 'Diese Bestellung jetzt beenden?',
  },
  refund: {
    title: 'Erstattung eintragen',
    hint:
      'Florin kann kein Geld senden. Senden Sie es zuerst selbst zurück, an eine Adresse des Kunden ' +
      'oder über den Kartenanbieter. Tragen Sie es dann hier für Ihre Berichte ein.',
    remaining: (amount: string) => `${amount} können noch erstattet werden.`,
    amount: 'Betrag',
    reason: 'Grund',
    submit: 'Erstattung eintragen',
  },
  force: {
    title: 'Als bezahlt markieren',
    hint:
      'Für Geld, das Sie auf anderem Weg erhalten haben. Es wird keine Transaktion eingetragen. Ihre ' +
      'Website bekommt ihr Ereignis.',
    reason: 'Grund',
    anyway: 'Auch wenn gerade eine Zahlung bestätigt wird',
    submit: 'Als bezahlt markieren',
    ask: 'Diese Bestellung ohne Zahlung als bezahlt markieren?',
  },
  accept: {
    title: 'Zahlungen, die die Bestellung nicht beglichen haben',
    hint:
      'Nehmen Sie die Zahlung an, wenn Ihnen genügt, was angekommen ist. Die Bestellung ist dann ' +
      'bezahlt, und Ihre Website bekommt ihr Ereignis. Das lässt sich nicht rückgängig machen. Wenn ' +
      'Sie das Geld stattdessen zurücksenden, markieren Sie die Zahlung unter „Nicht zugeordnete ' +
      'Zahlungen“ als erledigt.',
    submit: 'Diese Zahlung annehmen',
    submitAll: (count: number) => `Diese ${count} Zahlungen zusammen annehmen`,
    ask: 'Die ganze Bestellung mit dem, was angekommen ist, als bezahlt markieren?',
    reason: 'Grund (optional)',
    shortfall: (amount: string) => `${amount} fehlen`,
    refundTo: 'Der Kunde möchte es zurück an',
    statuses: { open: 'Offen', resolved: 'Erledigt', accepted: 'Angenommen' },
  },
  wrong: {
    amount: 'Geben Sie einen Betrag ein, der noch erstattet werden kann.',
    reason: 'Geben Sie einen Grund mit 3 bis 500 Zeichen ein.',
    text: 'Geben Sie eine Notiz mit höchstens 2000 Zeichen ein.',
  },
  note: {
    title: 'Notiz hinzufügen',
    label: 'Notiz',
    hint: 'Nur Personen Ihres Shops sehen sie.',
    submit: 'Notiz speichern',
  },
  attempts: {
    title: 'Zahlungsversuche',
    empty: 'Der Kunde hat noch keine Zahlungsart gewählt.',
    state: 'Status',
    states: {
      waiting: 'Wartet auf Geld',
      underpaid: 'Zu wenig angekommen',
      confirming: 'Wird bestätigt',
      settled: 'Ganz bezahlt',
      expired: 'Abgelaufen',
      failed: 'Fehlgeschlagen',
    },
    due: 'Fällig',
    received: 'Erhalten',
    credited: 'Angerechnet',
    creditedOf: (amount: string, due: string) => `${amount} von ${due}`,
    address: 'Adresse',
    payout: 'Geht an',
    rate: 'Kurs',
    rateAt: (time: string, sources: string) => `vom ${time}, von ${sources}`,
    confirmations: 'Bestätigungen',
    confirmed: (count: number, required: number) => `${count} von ${required}`,
    locked: 'Betrag gilt bis',
    checked: 'Zuletzt geprüft',
    never: 'Nie',
    transactions: 'Transaktionen',
  },
  events: {
    title: 'Webhook-Zustellungen',
    empty: 'Für diese Bestellung wurde noch kein Ereignis gesendet.',
    event: 'Ereignis',
    status: 'Status',
    tries: 'Versuche',
    answer: 'Letzte Antwort',
    next: 'Nächster Versuch',
    action: 'Aktion',
    resend: 'Erneut senden',
    resendNamed: (type: string) => `Erneut senden: ${type}`,
    statuses: { pending: 'Wartet', delivered: 'Zugestellt', failed: 'Fehlgeschlagen' },
  },
}

export const timeline = {
  title: 'Verlauf',
  created: 'Die Bestellung wurde angelegt',
  opened: 'Der Kunde hat die Seite geöffnet',
  expired: 'Die Bestellung ist abgelaufen',
  failed: 'Die Zahlung ist endgültig fehlgeschlagen',
  attempt: (method: string) => `Der Kunde hat ${method} gewählt`,
  attemptFailed: (method: string) => `Die Zahlung mit ${method} ist fehlgeschlagen`,
  attemptDue: (method: string, due: string) => `Der Kunde hat ${method} gewählt: ${due} fällig`,
  payment: {
    seen: (amount: string) => `${amount} erkannt`,
    final: (amount: string) => `${amount} angekommen`,
    gone: (amount: string) => `${amount} erkannt, dann aus der Blockchain verschwunden`,
  },
  confirmations: (count: number, required: number) => `${count} von ${required} Bestätigungen`,
  settled: {
    exact: 'Die Bestellung ist bezahlt',
    short: 'Die Bestellung ist bezahlt, mit etwas weniger als fällig war',
    over: 'Die Bestellung ist bezahlt, mit mehr als fällig war',
    late: 'Die Bestellung ist verspätet bezahlt',
    accepted: 'Die Bestellung ist bezahlt, weil die Zahlung angenommen wurde',
  },
  confirmed: (sum: string) => `${sum} bestätigt`,
  enough: (sum: string, needed: string) => `${sum} bestätigt; nötig waren mindestens ${needed}`,
  acceptedBy: (by: string) => `Angenommen von ${by}`,
  evidence: 'Nachweis',
  unmatched: (amount: string) => `${amount} hat die Bestellung nicht beglichen`,
  reasons: {
    wrong_asset: 'Es ist ein anderer Coin als verlangt.',
    underpaid: 'Es ist zu wenig.',
    late: 'Es kam, als der Betrag in Coins nicht mehr galt.',
    second_payment: 'Die Bestellung war schon bezahlt.',
    order_closed: 'Die Bestellung war geschlossen.',
    too_late: 'Es kam, als die Adresse nicht mehr überwacht wurde.',
  },
  forced: (by: string) => `Als bezahlt markiert von ${by}`,
  cancelled: (by: string) => `Storniert von ${by}`,
  ended: (by: string) => `Beendet von ${by}`,
  refund: (amount: string, by: string) => `Erstattung von ${amount} eingetragen von ${by}`,
  eventNames: {
    'order.paid': 'Bestellung bezahlt',
    'payment.created': 'Zahlung begonnen',
    'payment.processing': 'Zahlung erkannt',
    'payment.paid': 'Zahlung bestätigt',
    'payment.failed': 'Zahlung fehlgeschlagen',
    'payment.expired': 'Zahlung abgelaufen',
    'webhook.test': 'Test',
  },
  event: (name: string, type: string) => `Ereignis „${name}“ (${type})`,
  delivery: (name: string) => `Das Ereignis „${name}“ wurde an Ihre Website gesendet`,
  outcomes: {
    delivered: 'Ihre Website hat es erhalten.',
    refused: 'Ihre Website hat es abgelehnt.',
    timed_out: 'Ihre Website hat nicht rechtzeitig geantwortet.',
    unreachable: 'Ihre Website war nicht erreichbar.',
    destination_not_allowed: 'Die URL Ihres Webhooks führt in ein privates Netz.',
    bad_answer: 'Ihre Website hat eine fehlerhafte Antwort gesendet.',
  },
  httpStatus: (status: number) => `HTTP ${status}`,
  notified: 'Sie wurden benachrichtigt',
  change: (what: string, by: string) => `${what}, von ${by}`,
  note: (by: string) => `Notiz von ${by}`,
  actors: {
    cli: 'der Kommandozeile',
    key: (id: string) => `API-Schlüssel ${id}`,
    user: 'einer Person, die nicht mehr da ist',
  },
}
