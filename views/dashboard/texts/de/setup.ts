import type { Texts } from '../types.ts'

export const setup: Texts['setup'] = {
  name: 'Einrichtung',
  stepOf: (number, all) => `Schritt ${number} von ${all}`,
  states: { open: 'offen', done: 'erledigt', skipped: 'übersprungen' },
  back: 'Zurück',
  skip: 'Vorerst überspringen',
  next: 'Weiter',
  finish: 'Zu Ihrem Shop',
  later: 'Alles lässt sich später ändern. Übersprungene Schritte stehen auf der Übersicht.',
  short: {
    account: 'Ihr Zugang',
    shop: 'Ihr Shop',
    payouts: 'Wallets',
    webhook: 'Webhook',
    product: 'Erster Verkauf',
    payment: 'Ausprobieren',
  },
  shop: {
    title: 'Ihr Shop',
    intro: 'Das sehen Kunden, wenn sie bezahlen.',
    name: 'Name des Shops',
    color: 'Farbe',
    colorHint: 'Für Schaltflächen und Links.',
    currency: 'Währung',
    currencyHint: 'Die Vorgabe für neue Produkte und Bestellungen. Sie können jeweils eine andere wählen.',
    email: 'E-Mail-Adresse des Shops',
    emailHint: 'Dorthin sendet Florin Nachrichten über Zahlungen. Kunden sehen sie nicht.',
    taken: 'Ein anderer Shop dieses Servers benutzt diese E-Mail-Adresse schon. Geben Sie eine andere ein.',
    create: 'Shop anlegen und weiter',
    save: 'Speichern und weiter',
  },
  payouts: {
    title: 'Wallets',
    intro:
      'Florin braucht nur eine öffentliche Adresse oder einen öffentlichen Schlüssel Ihrer Wallet, ' +
      'nie einen privaten Schlüssel oder Seed-Wörter. Nur Ihre Wallet kann die Zahlungen einsammeln. ' +
      'Bei Bitcoin und ähnlichen Netzwerken kommen sie direkt dort an. Bei Ethereum-kompatiblen ' +
      'Netzwerken und bei SOL übertragen Sie sie dorthin.',
    start:
      'Die meisten Shops beginnen mit einem dieser beiden. Ihre Wallet-App zeigt die Adresse unter ' +
      '„Empfangen“ und den erweiterten öffentlichen Schlüssel in den Kontodetails.',
    why: {
      evm:
        'USDC, USDT, Ether und mehr: eine Adresse für alle, etwa aus MetaMask oder von einer ' +
        'Hardware-Wallet.',
      btc:
        'Der erweiterte öffentliche Schlüssel Ihrer Wallet (xpub, ypub oder zpub). Damit erhält ' +
        'jeder Kunde eine eigene Adresse.',
    },
    others: 'Andere Netzwerke',
    enter: 'Eintragen',
    change: 'Ändern',
    payable: coins => `Kunden können mit ${coins} bezahlen.`,
    notPayable: 'Eingetragen, aber Kunden können damit noch nicht bezahlen.',
    whatIsMissing: 'Ansehen, was fehlt',
    saved: 'Gespeichert. Tragen Sie ein weiteres Netzwerk ein, oder gehen Sie weiter.',
  },
  webhook: {
    title: 'Ihre Website benachrichtigen',
    intro:
      'Wenn Ihre eigene Website Bestellungen annimmt, sendet Florin ihr zu jeder bezahlten ' +
      'Bestellung eine signierte Nachricht.',
    without:
      'Wenn Sie nur Zahlungslinks und Produktseiten benutzen, brauchen Sie das nicht: Sie sehen ' +
      'Zahlungen ' +
      'hier und bekommen sie per E-Mail oder aufs Handy, unter „Benachrichtigungen“.',
    skip: 'Ich habe keine eigene Website',
    save: 'Speichern und Testereignis senden',
    again: 'Noch ein Testereignis senden',
    sentTo: 'Ereignisse gehen an:',
    more: 'Alle Einstellungen des Webhooks',
  },
  product: {
    title: 'Ihr erstes Produkt oder Ihr erster Zahlungslink',
    intro:
      'Legen Sie etwas an, das ein Kunde bezahlen kann. Sie bekommen einen Link und einen QR-Code zum ' +
      'Weitergeben.',
    kind: 'Was brauchen Sie?',
    kinds: {
      product: 'Ein Produkt',
      link: 'Einen Zahlungslink',
    },
    kindHints: {
      product: 'Hat eine eigene Seite, auf der viele Kunden bestellen können.',
      link: 'Für einen Kunden, der einmal bezahlt, etwa eine Rechnung.',
    },
    what: 'Was ist es?',
    whatHint: 'Kunden sehen es, etwa „Kaffeebohnen, 1 kg“ oder „Rechnung 17“.',
    wrongWhat: 'Geben Sie höchstens 120 Zeichen ein.',
    submit: 'Anlegen',
    done: {
      product: 'Das ist die Seite Ihres Produkts. Wer den Link hat, kann es bestellen.',
      link: 'Das ist Ihr Zahlungslink. Senden Sie ihn dem Kunden.',
    },
    open: 'Als Kunde ansehen',
    qr: 'QR-Code des Links',
    another: { product: 'Alle Produkte', link: 'Alle Bestellungen' },
    needsWallet: 'Ein Zahlungslink braucht eine Wallet, an die bezahlt wird.',
    toWallets: 'Zuerst eine Wallet eintragen',
  },
  payment: {
    title: 'Sehen, wie ein Kunde bezahlt',
    sandboxIntro:
      'Dieser Server ist eine Testumgebung. Florin legt eine Bestellung an und bezahlt sie mit ' +
      'Spielgeld, damit ' +
      'Sie sehen, wie eine bezahlte Bestellung aussieht.',
    pay: 'Testbestellung anlegen und bezahlen',
    liveIntro:
      'Legen Sie eine echte Bestellung über einen kleinen Betrag an und bezahlen Sie sie selbst, aus ' +
      'einer anderen Wallet oder mit Ihrem Handy. Bei Ethereum-kompatiblen Netzwerken und bei SOL ' +
      'zeigt Ihre Wallet das Geld erst, wenn Sie es dorthin übertragen: siehe „Guthaben in Ihre ' +
      'Wallets übertragen“ unter Wallets.',
    amount: currency => `Betrag in ${currency}`,
    wrongAmount: 'Geben Sie einen Betrag über null mit den Nachkommastellen der Währung ein.',
    create: 'Bestellung anlegen',
    needsWallet: 'Noch kann niemand bezahlen, weil es keine Wallet gibt, an die das Geld gehen kann.',
    notOffered: 'Kunden können noch mit keinem Coin bezahlen. Öffnen Sie Wallets, um zu sehen, was fehlt.',
    toWallets: 'Wallet eintragen',
    toPayouts: 'Ansehen, was fehlt',
    scan: sum => `Bezahlen Sie ${sum}: Scannen Sie den Code mit dem Handy, oder öffnen Sie den Link.`,
    waiting: 'Warten auf Ihre Zahlung. Diese Seite zeigt, wenn sie ankommt.',
    seen: 'Ihre Zahlung wurde erkannt und wartet auf Bestätigungen.',
    check: 'Jetzt prüfen',
    over: 'Diese Bestellung wurde nicht rechtzeitig bezahlt. Legen Sie eine neue an.',
    paid: (sum, time) => `Bezahlt: ${sum}, ${time}. Ihr Shop funktioniert.`,
    toOrder: 'Bestellung ansehen',
  },
}
