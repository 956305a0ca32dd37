import type { Texts } from '../types.ts'

export const overview: Texts['overview'] = {
  title: 'Übersicht',
  setup: 'Richten Sie Ihren Shop ein',
  progress: (done, all) => `${done} von ${all} Schritten erledigt.`,
  goOn: (number, all) => `Weiter mit Schritt ${number} von ${all}`,
  skippedSteps: count =>
    count === 1
      ? '1 Schritt der Einrichtung wurde übersprungen'
      : `${count} Schritte der Einrichtung wurden übersprungen`,
  states: { open: 'Offen', done: 'Erledigt', skipped: 'Übersprungen' },
  skip: 'Vorerst überspringen',
  resume: 'Jetzt erledigen',
  steps: {
    account: { title: 'Ihr Zugang', text: '', action: '' },
    shop: {
      title: 'Ihr Shop',
      text: 'Sein Name, sein Logo, seine Farbe und die Währung Ihrer Preise.',
      action: 'Shop beschreiben',
    },
    payouts: {
      title: 'Wallets',
      text:
        'Tragen Sie die Adressen Ihrer eigenen Wallets ein. Florin verwahrt weder Ihr Geld noch ' +
        'Ihre privaten Schlüssel.',
      action: 'Wallets eintragen',
    },
    webhook: {
      title: 'Ihre Website benachrichtigen',
      text:
        'Für Websites, die Bestellungen annehmen. Überspringen Sie das, wenn Sie nur Zahlungslinks ' +
        'weitergeben.',
      action: 'Webhook einrichten',
    },
    product: {
      title: 'Erstes Produkt oder erster Zahlungslink',
      text:
        'Ein Produkt hat eine eigene Seite, auf der Kunden bestellen und bezahlen. Ein Zahlungslink ist ' +
        'für einen Kunden.',
      action: 'Anlegen',
    },
    payment: {
      title: 'Erste Zahlung',
      text: 'Sehen Sie, wie ein Kunde bezahlt, bevor es der erste tut.',
      action: 'Ausprobieren',
    },
  },
  attention: 'Das braucht Ihre Aufmerksamkeit',
  nothing: 'Zurzeit nichts.',
  unmatched: count =>
    count === 1
      ? '1 Zahlung ist zu prüfen: Sie hat ihre Bestellung nicht beglichen.'
      : `${count} Zahlungen sind zu prüfen: Sie haben ihre Bestellungen nicht beglichen.`,
  webhookFailing: since => `Ihre Website nimmt seit ${since} keine Ereignisse an.`,
  webhookDisabled:
    'Der Webhook ist abgeschaltet, weil Ihrer Website 5 Tage lang nichts zugestellt werden konnte.',
  givenUp: count =>
    count === 1
      ? '1 Ereignis konnte Ihrer Website nicht zugestellt werden.'
      : `${count} Ereignisse konnten Ihrer Website nicht zugestellt werden.`,
  latest: 'Neueste Benachrichtigungen',
  toOrder: 'Bestellung öffnen',
  toPage: 'Seite öffnen',
  sales: 'Die letzten 30 Tage',
  salesIn: currency => `Umsatz in ${currency}`,
  afterAll: 'Nach Gebühren und Erstattungen',
  others: 'Andere Währungen',
  byDay: 'Nach Tagen',
  day: 'Tag',
  paidOf: (paid, orders) => `${paid} von ${orders}`,
  columns: {
    currency: 'Währung',
    orders: 'Bestellungen',
    paid: 'Bezahlte Bestellungen',
    gross: 'Umsatz',
    refunds: 'Erstattungen',
    net: 'Nach Abzügen',
  },
  toReports: 'Alle Berichte',
  noSales: 'In den letzten 30 Tagen keine Bestellungen.',
  newest: 'Neueste Bestellungen',
  noOrders: 'Noch keine Bestellungen.',
  toOrders: 'Alle Bestellungen',
  noShop:
    'Sie haben noch keinen Shop. Bitten Sie den Inhaber eines Shops oder den Betreiber dieses ' +
    'Servers, Sie hinzuzufügen.',
}
