import type { Texts } from '../types.ts'

export const sweep: Texts['sweep'] = {
  title: 'Guthaben in Ihre Wallets übertragen',
  link: 'Guthaben in Ihre Wallets übertragen',
  intro:
    'Zahlungen bei Ethereum und kompatiblen Netzwerken sowie bei SOL kommen auf Adressen an, die nur an ' +
    'Ihre Wallet auszahlen können. Dort bleiben sie, bis Sie sie übertragen. Sie signieren die ' +
    'Transaktionen mit Ihrer eigenen Wallet, die auch die Netzwerkgebühren bezahlt. Dieser Server ' +
    'signiert nichts.',
  narrow: 'Nur einen Teil',
  asset: 'Coin',
  assetHint:
    'Geben Sie einen Coin als Netzwerk/Coin an, etwa ethereum/usdc oder solana/sol. Für einen ' +
    'Token, der nicht aufgeführt ist, geben Sie Netzwerk/Vertragsadresse an.',
  min: 'Mindestens',
  minHint: 'Kleinere Beträge werden ausgelassen. In Einheiten des Coins, etwa 0.5.',
  wrong: {
    asset:
      'Geben Sie einen Coin wie ethereum/usdc oder solana/sol an. Für einen Token, der nicht ' +
      'aufgeführt ist, geben Sie Netzwerk/Vertragsadresse an.',
    min: 'Geben Sie eine Zahl wie 0.5 an.',
  },
  look: 'Guthaben suchen',
  held: 'Guthaben auf Adressen von Kunden',
  nothing: addresses =>
    addresses === 1 ? 'Auf 1 Adresse liegt nichts.' : `Auf ${addresses} Adressen liegt nichts.`,
  amount: 'Betrag',
  address: 'Adresse',
  goesTo: 'Geht an',
  order: 'Bestellung',
  paid: 'Bezahlt',
  notPaid: 'Nicht bezahlt',
  notPaidHint:
    'Ein Teil gehört zu Bestellungen, die nicht bezahlt sind. Erstatten Sie den Betrag oder nehmen ' +
    'Sie die Zahlung an.',
  notAsked: 'Nicht alles konnte gelesen werden:',
  evm: count => (count === 1 ? '1 Transaktion zu signieren' : `${count} Transaktionen zu signieren`),
  evmHint:
    'Jede Wallet kann sie senden und zahlt die Netzwerkgebühren. Das Guthaben geht immer an die ' +
    'Auszahlungs-Wallet.',
  noWallet:
    'In diesem Browser wurde keine Wallet gefunden. Installieren Sie eine oder kopieren Sie die ' +
    'Transaktionen unten.',
  sign: 'Mit {wallet} signieren',
  signing: 'Bestätigen Sie in Ihrer Wallet. {done} von {all} sind gesendet.',
  sent: 'Alle {all} sind gesendet. Suchen Sie in einigen Minuten noch einmal.',
  rejected:
    'Sie haben in Ihrer Wallet abgelehnt. {done} von {all} sind gesendet; die Schaltfläche macht mit ' +
    'der nächsten weiter.',
  chain:
    'Ihre Wallet kennt dieses Netzwerk nicht. Fügen Sie es dort hinzu und machen Sie weiter. {done} ' +
    'von {all} sind gesendet.',
  failed:
    'Ihre Wallet meldet einen Fehler. {done} von {all} sind gesendet. Sehen Sie in der Wallet nach, ' +
    'bevor Sie weitermachen.',
  reverted:
    'Eine Transaktion ist in der Blockchain fehlgeschlagen. {done} von {all} sind gesendet. Suchen Sie ' +
    'noch einmal.',
  show: 'Transaktionen anzeigen',
  copyHint:
    'Senden Sie sie in dieser Reihenfolge mit dem Wert 0. Ein Vertrag muss angelegt sein, bevor er ' +
    'verwendet wird.',
  solana: count =>
    count === 1 ? '1 Solana-Transaktion zu signieren' : `${count} Solana-Transaktionen zu signieren`,
  solanaHint:
    'Signieren Sie jede mit der Auszahlungs-Wallet und senden Sie sie. Sie verfallen nach etwa einer ' +
    'Minute: ' +
    'Suchen Sie noch einmal, um neue zu erhalten.',
  signer: 'Unterzeichner',
  transaction: 'Transaktion',
  own: 'In Ihren eigenen Wallets, für nicht bezahlte Bestellungen',
  ownHint: 'Hier ist nichts zu übertragen. Erstatten Sie die Beträge oder nehmen Sie die Zahlungen an.',
}
