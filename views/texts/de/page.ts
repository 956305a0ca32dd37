import type { Texts } from '../types.ts'

export const page: Texts['page'] = {
  notice: 'Hinweis',
  sandbox: 'Testumgebung: Es fließt kein echtes Geld.',
  language: 'Sprache',
  order: 'Bestellung',
  questions: 'Haben Sie Fragen?',
  contact: shop => `${shop} kontaktieren`,
  backToShop: shop => `Zurück zu ${shop}`,
  poweredBy: 'Zahlungen mit Florin',
  tryAgain: 'Erneut versuchen',
  payAnotherWay: 'Anders bezahlen',
  opensInNewTab: 'öffnet einen neuen Tab',
  checkNow: 'Jetzt prüfen',
  checkedAt: time => `Geprüft um ${time}.`,
  connectionLost: 'Verbindung unterbrochen.',
  connectionLostMeaning:
    'Die Verbindung wird wiederhergestellt. Eine bereits gesendete Zahlung ist davon nicht betroffen.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Markiert',
  copySelection: 'Markiert. Kopieren Sie den Text mit der Tastatur oder über das Menü Ihres Browsers.',
  titles: {
    pay: 'Bezahlen',
    detected: 'Zahlung erkannt',
    paid: '✓ Bezahlt',
    expired: 'Abgelaufen',
    cancelled: 'Storniert',
    failed: 'Zahlung fehlgeschlagen',
    blocked: 'Zahlung nicht möglich',
  },
}
