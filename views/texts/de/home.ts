import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Zahlungen mit Florin',
  what: 'Dieser Server nimmt Zahlungen für Online-Shops an.',
  buyers: 'Möchten Sie bezahlen? Öffnen Sie den Link, den Sie vom Shop erhalten haben.',
  developers:
    'Betreiben Sie diesen Server oder einen Shop? Die API-Referenz zeigt, ' +
    'wie Sie eine Bestellung anlegen.',
  sandbox:
    'Dies ist eine Testumgebung: Legen Sie eine Bestellung an und öffnen ' +
    'Sie ihre Bezahlseite. Sie können mit Testkarten und Testcoins bezahlen.',
  reference: 'API-Referenz',
}
