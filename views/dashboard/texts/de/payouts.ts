import type { Texts } from '../types.ts'

export const payouts: Texts['payouts'] = {
  title: 'Wohin das Geld geht',
  titleOf: network => `Wohin das Geld geht: ${network}`,
  intro:
    'Käufer zahlen an Ihre eigenen Wallets. Florin hält kein Geld und braucht keinen privaten Schlüssel.',
  back: 'Alle Netzwerke',
  networks: {
    evm: 'Ethereum und kompatible Netzwerke',
    btc: 'Bitcoin',
    bitcoincash: 'Bitcoin Cash',
    ltc: 'Litecoin',
    doge: 'Dogecoin',
    solana: 'Solana',
    trc20: 'TRON',
    zec: 'Zcash',
    xmr: 'Monero',
  },
  wallet: 'Auszahlungs-Wallet',
  noWallet: 'keine',
  notSet: 'Nichts ist eingestellt, deshalb können Käufer in diesem Netzwerk nicht zahlen.',
  setUp: 'Einrichten',
  change: 'Ändern',
  kinds: {
    xpub: 'Kontoschlüssel',
    viewkey: 'View-Key',
    pool: 'Adressliste',
    create2: 'Weiterleitungsverträge',
    seed: 'Seed-Adressen',
    shared: 'Die Auszahlungs-Wallet selbst',
    issued: 'Rechnungen',
    sandbox: 'Sandbox',
  },
  given: count => (count === 1 ? '1 Adresse an Käufer vergeben.' : `${count} Adressen an Käufer vergeben.`),
  free: count => (count === 1 ? '1 Adresse übrig.' : `${count} Adressen übrig.`),
  gapLimit: limit => `Stellen Sie das Gap-Limit Ihrer Wallet auf mindestens ${limit}.`,
  poolUsedUp: 'Keine Adressen mehr übrig. Fügen Sie der Liste welche hinzu.',
  poolLow: count =>
    count === 1
      ? 'Nur 1 Adresse ist übrig. Fügen Sie der Liste welche hinzu.'
      : `Nur ${count} Adressen sind übrig. Fügen Sie der Liste welche hinzu.`,
  accountUsedUp:
    'Die letzten Adressen wurden nie bezahlt, deshalb erhalten Käufer keine weiteren, bis eine davon ' +
    'bezahlt ' +
    'ist. Erhöhen Sie das Gap-Limit Ihrer Wallet und bitten Sie den Betreiber, ' +
    'FLORIN_UNPAID_ADDRESSES zu erhöhen.',
  warning: 'Die Auszahlungs-Wallet kann nicht alle Zahlungen annehmen:',
  walletProblems: {
    elsewhere: (chain, others) =>
      `${chain} wird nicht angeboten: Die Wallet ist ein Vertrag auf ${others} und existiert auf ` +
      `${chain} nicht.`,
    unknown: chain =>
      `${chain} wird noch nicht angeboten: Die Wallet ist ein Vertrag, und es ist noch nicht ` +
      'bekannt, ob es ihn ' +
      `auf ${chain} gibt.`,
    coin: chain =>
      `Der Coin von ${chain} wird nicht angeboten: Die Wallet kann ihn nicht annehmen. Für Token gilt das ` +
      'nicht unbedingt.',
  },
  coinsOf: network => `Coins im Netzwerk ${network}`,
  coin: 'Coin',
  from: 'Quelle der Adressen',
  fromNowhere: 'keine',
  state: 'Status',
  payable: 'Käufer können damit zahlen',
  lacks: {
    endpoint: 'Braucht einen Endpunkt für dieses Netzwerk.',
    unusable: 'Der Endpunkt antwortet nicht oder kann keine Zahlungen in diesem Coin finden.',
    source: 'Braucht eine Quelle für Adressen.',
    payout: 'Die Auszahlungs-Wallet kann das nicht annehmen.',
    rate: 'Braucht einen Wechselkurs.',
  },
  chosen: 'Gespeichert. Bei den Coins unten steht, was ihnen noch fehlt.',
  missing: 'Was noch fehlt',
  missingHint: 'Käufer können mit diesen Coins zahlen, sobald Sie gewählt haben, was fehlt.',
  missingOperator:
    'Bitten Sie den Betreiber dieses Servers, unter „Endpunkte und Kurse“ zu wählen, was fehlt.',
  lacksEndpoint: (coins, chain) => `${coins}: ein Endpunkt von ${chain}, der Zahlungen sieht.`,
  chooseEndpoint: chain => `Für ${chain} wählen`,
  lacksRates: 'Wechselkurse für die Preise der Coins.',
  chooseRates: 'Kurse wählen',
  now: 'Jetzt eingestellt',
  enter: 'Neu eingeben',
  neverPrivate:
    'Geben Sie nie einen privaten Schlüssel oder Seed-Wörter ein: Florin braucht nichts, womit man Geld ' +
    'ausgeben kann. Sie werden abgelehnt und nicht gespeichert.',
  labels: { address: 'Adresse', account: 'Adresse oder Kontoschlüssel', viewkey: 'Hauptadresse' },
  hints: {
    address: 'Die Adresse Ihrer Wallet in diesem Netzwerk.',
    account:
      'Mit einem Kontoschlüssel (erweiterter öffentlicher Schlüssel, etwa xpub oder zpub) erhält ' +
      'jeder Käufer ' +
      'eine eigene Adresse Ihrer Wallet. Damit sieht Florin Zahlungen, kann aber nichts ausgeben.',
    viewkey: 'Die Hauptadresse Ihrer Wallet, die mit 4 beginnt.',
  },
  needsAccount:
    'Eine Adresse allein reicht hier nicht: Jede Zahlung braucht eine eigene Adresse. Geben Sie einen ' +
    'Kontoschlüssel ein oder verwenden Sie eine Adressliste.',
  viewKey: 'Privater View-Key',
  viewKeyHint: '64 Zeichen. Er zeigt eingehende Zahlungen und kann nichts ausgeben. Nie der Spend-Key.',
  script: 'Art der Adressen',
  scripts: {
    p2pkh: 'Legacy (p2pkh)',
    'p2sh-p2wpkh': 'Nested SegWit (p2sh-p2wpkh)',
    p2wpkh: 'Native SegWit (p2wpkh)',
  },
  check: 'Prüfen',
  compare: 'Mit Ihrer Wallet vergleichen',
  checksum: 'Das ist die Adresse mit ihrer Prüfsumme. Vergleichen Sie jedes Zeichen mit Ihrer Wallet:',
  firstAddresses: 'Das sind die ersten Adressen. Ihre Wallet muss zum Empfangen dieselben zeigen:',
  compared: 'Ich habe das mit meiner Wallet verglichen, und es ist gleich.',
  compareFirst: 'Vergleichen Sie zuerst und setzen Sie dann dieses Häkchen.',
  others: 'Zeigt Ihre Wallet eine andere Adresse?',
  othersHint:
    'Derselbe Schlüssel kann verschieden verwendet werden. Zeigt Ihre Wallet zuerst eine von diesen, ' +
    'wählen Sie sie:',
  useThis: 'Meine Wallet zeigt diese',
  remove: {
    address: 'Auszahlungs-Wallet entfernen',
    xpub: 'Kontoschlüssel nicht mehr verwenden',
    viewkey: 'View-Key nicht mehr verwenden',
    pool: 'Liste nicht mehr verwenden',
  },
  removeAsk:
    'Entfernen? Käufer erhalten daraus keine neuen Adressen. Bereits vergebene Adressen bleiben überwacht.',
  saved: {
    set: 'Gespeichert. Neue Zahlungen verwenden es ab jetzt.',
    removed: 'Entfernt. Bereits vergebene Adressen bleiben überwacht.',
  },
  problems: {
    privateKey:
      'Das sieht nach einem privaten Schlüssel oder Seed-Wörtern aus. Es wurde nicht gespeichert. ' +
      'Falls Sie es ' +
      'irgendwo eingegeben haben, könnten andere es kennen: Senden Sie das Geld dieser Wallet an ' +
      'eine neue und ' +
      'geben Sie dann die öffentliche Adresse oder den Kontoschlüssel ein.',
    address:
      'Das ist weder eine Adresse noch ein Schlüssel für dieses Netzwerk. Kopieren Sie es noch einmal ' +
      'aus Ihrer Wallet.',
    viewKey: 'Adresse und View-Key passen nicht zusammen. Kopieren Sie beide aus derselben Wallet.',
    taken: 'Dieser Schlüssel gehört schon zu einem anderen Shop.',
    expired: 'Das hat zu lange gedauert, oder der Server wurde neu gestartet. Geben Sie es noch einmal ein.',
  },
}
