import type { Texts } from '../types.ts'

export const payouts: Texts['payouts'] = {
  title: 'Wallets',
  titleOf: network => `Wallets: ${network}`,
  intro:
    'Florin verwahrt Ihr Geld nie. Bei Bitcoin und ähnlichen Netzwerken kommen Zahlungen direkt in Ihrer ' +
    'Wallet an. Bei Ethereum und kompatiblen Netzwerken sowie bei SOL warten sie meist auf eigenen ' +
    'Adressen, die nur an Ihre Wallet auszahlen können, bis Sie sie dorthin übertragen. Florin braucht ' +
    'nie einen Schlüssel, mit dem man Geld ausgeben kann, und keine Seed-Wörter.',
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
  notSet: 'Nichts ist eingetragen, deshalb können Kunden in diesem Netzwerk nicht zahlen.',
  setUp: 'Einrichten',
  change: 'Ändern',
  kinds: {
    xpub: 'Erweiterter öffentlicher Schlüssel',
    viewkey: 'View-Key',
    pool: 'Adressliste',
  },
  ways: {
    xpub: 'Neue Adressen aus Ihrem erweiterten öffentlichen Schlüssel',
    viewkey: 'Neue Adressen aus Ihrem View-Key',
    pool: 'Adressen aus Ihrer Liste',
    create2: 'Eigener Vertrag für jede Zahlung',
    seed: 'Eigene Adresse für jede Zahlung',
    shared: 'Die Adresse Ihrer Wallet selbst',
    issued: 'Rechnung des Anbieters',
    sandbox: 'Simulierte Adressen',
  },
  given: count =>
    count === 1 ? '1 Adresse an einen Kunden vergeben.' : `${count} Adressen an Kunden vergeben.`,
  free: count => (count === 1 ? '1 Adresse übrig.' : `${count} Adressen übrig.`),
  gapLimit: limit =>
    'Stellen Sie das Gap-Limit Ihrer Wallet (wie viele unbenutzte Adressen in Folge sie durchsucht) ' +
    `auf mindestens ${limit}. Sonst zeigt sie manche Zahlungen vielleicht nicht an, obwohl ` +
    'sie Ihnen gehören.',
  poolUsedUp: 'Keine Adressen mehr übrig. Fügen Sie der Liste welche hinzu.',
  poolLow: count =>
    count === 1
      ? 'Nur 1 Adresse ist übrig. Fügen Sie der Liste welche hinzu.'
      : `Nur ${count} Adressen sind übrig. Fügen Sie der Liste welche hinzu.`,
  accountUsedUp:
    'Kunden erhalten hier keine neuen Adressen: Zu viele in Folge wurden vergeben und nie bezahlt. ' +
    'Sobald eine davon bezahlt ist, geht es weiter. Damit es jetzt weitergeht, erhöhen Sie das ' +
    'Gap-Limit Ihrer Wallet und bitten Sie dann den Betreiber dieses Servers, ' +
    'FLORIN_UNPAID_ADDRESSES zu erhöhen.',
  warning: 'Ihre Wallet kann nicht alle Zahlungen annehmen:',
  walletProblems: {
    elsewhere: (chain, others) =>
      `Kunden können auf ${chain} nicht zahlen: Ihre Wallet ist ein Smart Contract (wie Safe), den ` +
      `es auf ${others} gibt, aber nicht auf ${chain}. Legen Sie ihn dort an, oder geben Sie eine ` +
      'andere Wallet ein.',
    unknown: chain =>
      `Florin konnte noch nicht prüfen, ob es Ihre Wallet auf ${chain} gibt. Bis dahin können Kunden ` +
      'dort nicht zahlen.',
    coin: chain =>
      `Ihre Wallet kann den eigenen Coin von ${chain} nicht empfangen. Mit Token wie USDC können ` +
      'Kunden vielleicht trotzdem zahlen.',
  },
  coinsOf: network => `Coins im Netzwerk ${network}`,
  coin: 'Coin',
  from: 'Wie Kunden eine Adresse erhalten',
  fromNowhere: 'noch gar nicht',
  state: 'Status',
  payable: 'Kunden können damit zahlen',
  lacks: {
    endpoint: 'Braucht einen Endpunkt für dieses Netzwerk.',
    unusable: 'Der Endpunkt antwortet nicht oder kann keine Zahlungen in diesem Coin finden.',
    source:
      'Geben Sie für dieses Netzwerk einen erweiterten öffentlichen Schlüssel oder eine Adressliste ' +
      'ein.',
    payout: 'Ihre Wallet kann diesen Coin nicht empfangen. Geben Sie eine andere Wallet-Adresse ein.',
    rate: 'Braucht eine Quelle für Wechselkurse.',
  },
  lacksRate: {
    none: sources => `Kein Preis von ${sources}.`,
    one: source => `Nur ${source} hat einen Preis. Bei mehreren Quellen müssen zwei übereinstimmen.`,
    addTwo: sources => `Zwei dieser Quellen sind nötig: ${sources}.`,
    addOne: sources => `Dazu ist eine dieser Quellen nötig: ${sources}.`,
    noOthers: 'Zu wenige andere Börsen haben einen. Der Betreiber kann mit FLORIN_RATES Preise festlegen.',
    notNow: sources =>
      `Derzeit kein brauchbarer Preis von ${sources}. Preise müssen aktuell sein, und ` +
      'bei mehreren Quellen müssen zwei übereinstimmen.',
  },
  lacksSource: {
    solana: 'Geben Sie für diesen Coin eine Adressliste ein.',
    xmr: 'Geben Sie den View-Key Ihrer Wallet ein.',
  },
  chosen: 'Gespeichert. Bei den Coins unten steht, was ihnen noch fehlt.',
  missing: 'Was noch fehlt',
  missingHint: 'Kunden können mit diesen Coins zahlen, sobald Sie gewählt haben, was fehlt.',
  missingOperator:
    'Bitten Sie den Betreiber dieses Servers, unter „Endpunkte und Kurse“ zu wählen, was fehlt.',
  lacksEndpoint: (coins, chain) =>
    `${coins}: ein Endpunkt von ${chain} (ein Server, den Florin nach Zahlungen fragt).`,
  chooseEndpoint: chain => `Für ${chain} wählen`,
  lacksRates: 'Eine Quelle für Wechselkurse, für die Preise der Coins.',
  chooseRates: 'Kurse wählen',
  now: 'Derzeitige Einstellung',
  enter: 'Wallet eintragen',
  neverPrivate:
    'Geben Sie nie einen privaten Schlüssel oder Seed-Wörter ein: Florin braucht nichts, womit man Geld ' +
    'ausgeben kann. Sie werden abgelehnt und nicht gespeichert.',
  neverSpendKey:
    'Geben Sie den privaten View-Key ein, der nur Zahlungen zeigt. Geben Sie nie den privaten ' +
    'Spend-Key oder Seed-Wörter ein: Sie werden abgelehnt und nicht gespeichert.',
  labels: {
    address: 'Adresse',
    either: 'Adresse oder erweiterter öffentlicher Schlüssel',
    account: 'Erweiterter öffentlicher Schlüssel oder Adresse',
    viewkey: 'Hauptadresse',
  },
  hints: {
    either:
      'Die Adresse Ihrer Wallet genügt. Zahlungen warten dann auf eigenen Adressen, bis Sie sie in ' +
      'Ihre Wallet übertragen. Mit dem erweiterten öffentlichen Schlüssel eines Kontos (xpub) kommen ' +
      'sie auf neuen Adressen dieses Kontos an.',
    address: 'Die Adresse Ihrer Wallet in diesem Netzwerk.',
    account:
      'Geben Sie den erweiterten öffentlichen Schlüssel ein, den Ihre Wallet in den Kontodetails ' +
      'zeigt, etwa xpub, ypub oder zpub. Damit erhält jeder Kunde eine eigene Adresse, und Florin ' +
      'sieht Zahlungen, kann sie aber nicht ausgeben.',
    viewkey: 'Die Hauptadresse Ihrer Wallet, die mit 4 beginnt.',
  },
  needsAccount:
    'Eine Adresse allein reicht in diesem Netzwerk nicht, weil jede Zahlung eine eigene braucht. ' +
    'Geben Sie den erweiterten öffentlichen Schlüssel Ihrer Wallet ein, oder verwenden Sie eine ' +
    'Adressliste.',
  viewKey: 'Privater View-Key',
  viewKeyHint: '64 Zeichen. Er zeigt eingehende Zahlungen und kann nichts ausgeben. Nie der Spend-Key.',
  script: 'Adresstyp',
  scriptHints: {
    btc:
      'Sehen Sie sich in Ihrer Wallet eine Empfangsadresse an: bc1q… ist Native SegWit, bc1p… ist Taproot, ' +
      '3… ist Nested SegWit, 1… ist Legacy.',
    ltc:
      'Sehen Sie sich in Ihrer Wallet eine Empfangsadresse an: ltc1q… ist Native SegWit, M… ist Nested ' +
      'SegWit, L… ist Legacy.',
  },
  scripts: {
    p2pkh: 'Legacy (p2pkh)',
    'p2sh-p2wpkh': 'Nested SegWit (p2sh-p2wpkh)',
    p2wpkh: 'Native SegWit (p2wpkh)',
    p2tr: 'Taproot (p2tr)',
  },
  check: 'Weiter',
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
    xpub: 'Erweiterten öffentlichen Schlüssel nicht mehr verwenden',
    viewkey: 'View-Key nicht mehr verwenden',
    pool: 'Liste nicht mehr verwenden',
  },
  removeAsk:
    'Entfernen? Kunden erhalten daraus keine neuen Adressen. Bereits vergebene Adressen bleiben überwacht.',
  saved: {
    set: 'Gespeichert. Neue Zahlungen verwenden es ab jetzt.',
    removed: 'Entfernt. Bereits vergebene Adressen bleiben überwacht.',
  },
  problems: {
    privateKey:
      'Das sieht nach einem privaten Schlüssel oder Seed-Wörtern aus. Es wurde nicht gespeichert. ' +
      'Falls Sie es irgendwo eingegeben haben, könnten andere es kennen: Senden Sie das Geld dieser ' +
      'Wallet an eine neue und geben Sie dann deren öffentliche Adresse oder erweiterten ' +
      'öffentlichen Schlüssel ein.',
    address:
      'Das ist weder eine Adresse noch ein Schlüssel für dieses Netzwerk. Kopieren Sie es noch einmal ' +
      'aus Ihrer Wallet.',
    viewKey: 'Adresse und View-Key passen nicht zusammen. Kopieren Sie beide aus derselben Wallet.',
    taken: 'Dieser Schlüssel gehört schon zu einem anderen Shop.',
    expired: 'Das hat zu lange gedauert, oder der Server wurde neu gestartet. Geben Sie es noch einmal ein.',
  },
}
