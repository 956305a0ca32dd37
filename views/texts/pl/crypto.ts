import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} w sieci ${network}`,
  pay: (amount, network) => `Zapłać ${amount} w sieci ${network}`,
  payCoin: amount => `Zapłać ${amount}`,
  waiting: 'Oczekiwanie na płatność',
  timeLeft: 'Pozostały czas:',
  payBefore: time => `Zapłać przed ${time}`,
  fewMinutesLeft: 'Na zapłatę pozostało mniej niż pięć minut.',
  detected: 'Wykryto płatność',
  detectedWith: progress => `Wykryto płatność: ${progress}`,
  confirmations: 'Potwierdzenia',
  progress: (done, required) => `Potwierdzenia: ${done} z ${required}`,
  lastConfirmation: 'Oczekiwanie na ostateczne potwierdzenie',
  aboutLeft: time => `jeszcze około ${time}`,
  receivedPayments: 'Dotychczas otrzymano',
  closePage:
    'Możesz zamknąć tę stronę. Zamówienie zostanie oznaczone jako opłacone, gdy tylko sieć potwierdzi ' +
    'płatność.',
  leftToPay: amount => `Do zapłaty pozostało ${amount}`,
  sendRest: received => `Otrzymaliśmy ${received}. Wyślij resztę na ten sam adres.`,
  dustTitle: 'Pozostała kwota jest zbyt mała, aby ją wysłać',
  qrOfPayment: 'Kod QR płatności',
  qrOfAddress: 'Kod QR adresu',
  cannotScan: 'Portfel nie może zeskanować tego kodu?',
  onlyAddress: 'Ten kod zawiera tylko adres.',
  showAddressOnly: 'Pokaż tylko adres',
  includeAmount: 'Dołącz kwotę',
  openWallet: 'Otwórz w portfelu',
  walletClosed: 'Nic się nie otworzyło? Skopiuj kwotę i adres do portfela.',
  browserWallet: {
    pay: 'Zapłać przez {wallet}',
    open: 'Potwierdź płatność w portfelu.',
    sent: 'Wysłano. Ta strona zmieni się, gdy płatność zostanie wykryta.',
    again: 'Wysłać ponownie przez {wallet}?',
    twice: 'Wyślij ponownie tylko wtedy, gdy portfel zgłasza, że pierwsza płatność się nie powiodła.',
    rejected: 'Płatność nie została potwierdzona. Nic nie wysłano.',
    chain: 'Portfel nie zna tej sieci. Dodaj ją w portfelu i spróbuj ponownie.',
    failed: 'Portfel nie mógł wysłać płatności. Sprawdź saldo albo zapłać za pomocą kodu QR lub adresu.',
  },
  sendTestCoins: 'Wyślij testowe monety',
  sendOnly: (coin, network) => `Wyślij tylko ${coin} w sieci ${network}.`,
  otherCoins:
    'Inne kryptowaluty lub środki wysłane w innych sieciach mogą nie zostać zaliczone na poczet ' +
    'tego zamówienia i przepaść.',
  exactAmount: 'Wyślij dokładnie tę kwotę w jednej transakcji.',
  exactAmountReason:
    'Rozpoznajemy płatność po kwocie. Jeśli płacisz z giełdy, dolicz jej opłatę za wypłatę, aby ' +
    'dotarła dokładnie ta kwota.',
  exchangeFee: 'Płacisz z giełdy? Dolicz jej opłatę za wypłatę, aby dotarła dokładnie ta kwota.',
  amountLeft: 'Pozostało do zapłaty',
  amountDue: 'Wyślij dokładnie',
  toAddress: network => `Na ten adres w sieci ${network}`,
  rate: 'Kurs',
  theAmount: 'kwotę',
  theAddress: 'adres',
  nothingFound: network => `W sieci ${network} nie wykryto jeszcze płatności.`,
  nothingMore: 'Nic więcej nie dotarło.',
  restMissing: 'Reszta jeszcze nie dotarła.',
  unconfirmed: 'Płatność nie jest jeszcze potwierdzona.',
  lapsed: 'Czas na zapłatę minął',
  partOf: (received, due) => `${received} z ${due}`,
  maybePaid:
    'Płatność została już wysłana? I tak ją wykryjemy, możesz zamknąć tę stronę. W przeciwnym ' +
    'razie pobierz nową cenę.',
  newPrice: coin => `Pobierz nową cenę w ${coin}`,
  notCovered:
    'Nie otrzymaliśmy jeszcze pełnej kwoty. Jeśli płatność została właśnie wysłana, sprawdź ' +
    'ponownie za kilka minut.',
  elsewhere: {
    ask: 'Wysłano w innej sieci',
    looking: networks => `Sprawdzamy teraz: ${networks}.`,
    found: coins => `Znaleziono: ${coins}.`,
    nothing: (networks, time) => `Sprawdzono o ${time} i niczego nie znaleziono: ${networks}.`,
    unreachable: networks =>
      `Chwilowo niedostępne: ${networks}. Będziemy próbować dalej; wysłane środki nie przepadną.`,
  },
  turnedTo: coin =>
    `W innym oknie rozpoczęto nowszą płatność: ${coin}. Ta strona pokazuje teraz właśnie ją. ` +
    'Jeśli już zapłacono, płatność i tak zostanie wykryta.',
}
