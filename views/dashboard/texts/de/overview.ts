import type { Texts } from '../types.ts'

export const overview: Texts['overview'] = {
  title: 'Übersicht',
  setup: 'Richten Sie Ihren Shop ein',
  progress: (done, all) => `${done} von ${all} Schritten erledigt oder ausgelassen.`,
  states: { open: 'Offen', done: 'Erledigt', skipped: 'Ausgelassen' },
  skip: 'Auslassen',
  resume: 'Wieder aufnehmen',
  payTest: 'Testbestellung anlegen und bezahlen',
  steps: {
    shop: {
      title: 'Ihr Shop',
      text: 'Wählen Sie Logo und Farbe, und sagen Sie, wen Käufer fragen können.',
      action: 'Einstellungen öffnen',
    },
    payouts: {
      title: 'Wohin das Geld geht',
      text:
        'Tragen Sie die Adressen Ihrer eigenen Wallets ein. Florin hat nie Ihr Geld und nie Ihre ' +
        'privaten Schlüssel.',
      action: 'Wallets eintragen',
    },
    webhook: {
      title: 'Ihrem Shop Zahlungen melden',
      text:
        'Der Server Ihres Shops bekommt zu jeder bezahlten Bestellung eine signierte Nachricht. ' +
        'Lassen Sie das ' +
        'aus, wenn Sie nur Zahlungslinks versenden.',
      action: 'Webhook einrichten',
    },
    product: {
      title: 'Erstes Produkt',
      text:
        'Ein Produkt hat eine eigene Seite, auf der Käufer bestellen und bezahlen. Oder versenden ' +
        'Sie Zahlungslinks.',
      action: 'Produkt anlegen',
    },
    payment: {
      title: 'Erste Zahlung',
      text:
        'Sehen Sie einmal, wie ein Käufer bezahlt, bevor es der erste tut. Mit echtem Geld reicht ' +
        'eine Bestellung über 1,00.',
      action: 'Bestellung anlegen',
    },
  },
  attention: 'Das braucht Ihre Aufmerksamkeit',
  nothing: 'Zurzeit nichts.',
  unmatched: count =>
    count === 1
      ? '1 Zahlung hat ihre Bestellung nicht bezahlt. Entscheiden Sie, was geschieht.'
      : `${count} Zahlungen haben ihre Bestellungen nicht bezahlt. Entscheiden Sie, was geschieht.`,
  webhookFailing: since => `Der Server Ihres Shops nimmt seit ${since} keine Ereignisse an.`,
  webhookDisabled:
    'Der Webhook wurde abgeschaltet, weil der Server Ihres Shops zu lange nicht geantwortet hat.',
  givenUp: count =>
    count === 1
      ? '1 Ereignis konnte Ihrem Shop nicht zugestellt werden.'
      : `${count} Ereignisse konnten Ihrem Shop nicht zugestellt werden.`,
  latest: 'Neueste Benachrichtigungen',
  toOrder: 'Bestellung öffnen',
  sales: 'Die letzten 30 Tage',
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
    net: 'Netto',
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
