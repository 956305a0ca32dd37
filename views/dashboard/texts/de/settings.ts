import type { Texts } from '../types.ts'

const url = 'Geben Sie eine öffentliche Adresse ein, die mit https:// beginnt, oder lassen Sie das Feld leer.'

export const settings: Texts['settings'] = {
  title: 'Einstellungen',
  saved: 'Gespeichert. Kunden sehen es ab jetzt.',
  looks: 'Wie Kunden Ihren Shop sehen',
  links: 'Links und Hilfe für Kunden',
  payments: 'Zahlungen und Berichte',
  preview: 'Vorschau',
  previewLabel: (name: string) => `Vorschau des Kopfes der Bezahlseite, mit dem Namen ${name}`,
  previewButton: 'Jetzt bezahlen',
  example: 'Die Seite eines Produkts als Kunde ansehen',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP oder SVG bis 100 KB, 32 bis 1024 Pixel breit und hoch.',
  wrongLogo:
    'Wählen Sie eine PNG-, JPEG-, WebP- oder SVG-Datei bis 100 KB, 32 bis 1024 Pixel breit und hoch.',
  removeLogo: 'Logo entfernen',
  noMail:
    'Dieser Server kann noch keine E-Mails senden. Bitten Sie den Betreiber, FLORIN_SMTP_URL und ' +
    'FLORIN_MAIL_FROM zu setzen.',
  methods: {
    title: 'Zahlungsarten',
    on: 'An',
    off: 'Aus',
    noCoins: 'Noch kann mit keinem Coin bezahlt werden. Unter Wallets steht, was fehlt.',
    switchOff: 'Kein Krypto mehr annehmen',
    switchOn: 'Krypto annehmen',
    offHint:
      'Nach dem Ausschalten kann niemand mehr eine Zahlung mit Coins beginnen. Begonnene Zahlungen ' +
      'zählen ' +
      'weiter. Sie können es wieder einschalten.',
    onHint: 'Nach dem Einschalten kann mit jedem Coin bezahlt werden, der unter Wallets eingerichtet ist.',
    toWallets: 'Coins unter Wallets auswählen',
    last: 'Krypto ist die einzige Zahlungsart und bleibt deshalb an. Richten Sie zuerst eine andere ein.',
    others: 'Karten, Banken und Wallet-Dienste',
    needWallet:
      'Karten und Banken zahlen an Ihre Wallet für Ethereum-kompatible Netzwerke aus. Sie fehlt noch.',
    othersHint:
      'Die Zahlungsanbieter dieses Servers bieten sie an. Der Betreiber schaltet Anbieter ein und aus.',
    each: 'Für ein Produkt oder eine neue Bestellung können Sie weniger Zahlungsarten auswählen.',
  },
  noCurrency: 'Noch keine',
  labels: {
    name: 'Name des Shops',
    color: 'Farbe',
    supportEmail: 'E-Mail-Adresse für Kunden',
    supportUrl: 'Seite für Hilfe',
    returnUrl: 'Rückkehr-URL',
    termsUrl: 'AGB',
    privacyUrl: 'Datenschutzerklärung',
    searchable: 'Suchmaschinen',
    receipts: 'E-Mails an Kunden',
    paymentMails: 'E-Mails über unvollständige Zahlungen und Erstattungen',
    late: 'Zahlungen, wenn der Betrag in Coins nicht mehr gilt',
    tolerance: 'Fehlbeträge annehmen bis (Prozent)',
    timeZone: 'Zeitzone',
    currency: 'Währung',
    language: 'Sprache der Nachrichten',
  },
  hints: {
    name: 'Kunden sehen ihn auf jeder Seite und jedem Beleg.',
    color:
      'Für Schaltflächen und Links: # und sechs Ziffern oder Buchstaben von a bis f, etwa #14614a. Leer ' +
      'lassen für die Vorgabe.',
    supportEmail: 'Für Kunden, die Hilfe brauchen. Leer lassen, um keine anzuzeigen.',
    supportUrl: 'Wo Kunden Hilfe finden, statt der E-Mail-Adresse. Beginnt mit https://.',
    returnUrl:
      'Wohin Kunden nach dem Bezahlen gehen, wenn die Bestellung keine andere URL hat. Beginnt mit ' +
      'https://.',
    termsUrl: 'Auf den Seiten für Kunden verlinkt. Leer lassen, um keine anzuzeigen.',
    privacyUrl: 'Auf den Seiten für Kunden verlinkt. Leer lassen, um keine anzuzeigen.',
    searchable: 'Ob Google und andere die Seiten Ihrer Produkte zeigen dürfen.',
    receipts:
      'Kunden bekommen einen Link zu ihrer Bestellung, wenn sie zu bezahlen beginnen, und einen Beleg.',
    paymentMails:
      'Kunden erfahren, wenn ein Teil des Betrags eingeht, eine Zahlung verspätet oder zu hoch ist, eine ' +
      'Zahlung aus ihrem Netzwerk verschwindet oder Sie eine Erstattung vermerken.',
    late:
      'Der Betrag in Coins gilt nur eine begrenzte Zeit, weil sich Kurse ändern. Kommt eine Zahlung ' +
      'später an, kann Florin den Wert der Coins bei der Ankunft verwenden oder Sie fragen.',
    tolerance:
      'Manche Börsen und Wallets ziehen ihre Gebühr vom gesendeten Betrag ab. Eine Bestellung gilt ' +
      'als bezahlt, wenn höchstens so viel fehlt. 0 bis 5 Prozent, aber nie mehr als 5 USD.',
    timeZone: 'Für die Tage in Berichten und die Uhrzeiten auf diesen Seiten.',
    language:
      'Für E-Mails an die Adresse des Shops und für Nachrichten an Personen, die keine ' +
      'Sprache gewählt haben.',
    currency:
      'Die Vorgabe für neue Bestellungen, Produkte und Berichte. Sie können jeweils eine andere wählen.',
  },
  choices: {
    searchable: { yes: 'Dürfen meine Produkte zeigen', no: 'Dürfen meine Produkte nicht zeigen' },
    receipts: { yes: 'E-Mails senden', no: 'Keine senden' },
    paymentMails: { same: 'Zusammen mit den E-Mails oben', yes: 'E-Mails senden', no: 'Keine senden' },
    late: { settle: 'Den Wert bei der Ankunft verwenden', ask: 'Mich jedes Mal fragen' },
  },
  wrong: {
    name: 'Geben Sie einen Namen mit höchstens 128 Zeichen ein.',
    color: 'Geben Sie # und sechs Ziffern oder Buchstaben von a bis f ein, etwa #14614a.',
    supportEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, oder lassen Sie das Feld leer.',
    supportUrl: url,
    returnUrl: url,
    termsUrl: url,
    privacyUrl: url,
    tolerance: 'Geben Sie einen Prozentsatz von 0 bis 5 ein, etwa 0,5.',
    timeZone: 'Diese Zeitzone gibt es nicht. Wählen Sie eine aus der Liste.',
    currency: 'In dieser Währung sind keine Preise möglich. Wählen Sie eine aus der Liste.',
  },
}
