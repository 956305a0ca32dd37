import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${network} üzerinde ${coin}`,
  pay: (amount, network) => `${network} ağında ${amount} ödeyin`,
  payCoin: amount => `${amount} ödeyin`,
  waiting: 'Ödemeniz bekleniyor',
  timeLeft: 'Kalan süre:',
  payBefore: time => `Şu saatten önce ödeyin: ${time}`,
  fewMinutesLeft: 'Ödemek için beş dakikadan az kaldı.',
  detected: 'Ödeme algılandı',
  detectedWith: progress => `Ödeme algılandı: ${progress}`,
  confirmations: 'Onaylar',
  progress: (done, required) => `${required} onaydan ${done} tanesi alındı`,
  lastConfirmation: 'Son onay bekleniyor',
  aboutLeft: time => `yaklaşık ${time} kaldı`,
  receivedPayments: 'Şimdiye kadar alınan',
  closePage: 'Bu sayfayı kapatabilirsiniz. Ağ ödemeyi onaylar onaylamaz sipariş ödendi olarak işaretlenir.',
  leftToPay: amount => `Ödenecek kalan tutar: ${amount}`,
  sendRest: received => `${received} aldık. Lütfen kalanı aynı adrese gönderin.`,
  dustTitle: 'Kalan tutar gönderilemeyecek kadar küçük',
  qrOfPayment: 'Ödemenin QR kodu',
  qrOfAddress: 'Adresin QR kodu',
  cannotScan: 'Cüzdanınız bu kodu tarayamıyor mu?',
  onlyAddress: 'Bu kod yalnızca adresi içerir.',
  showAddressOnly: 'Yalnızca adresi göster',
  includeAmount: 'Tutarı ekle',
  openWallet: 'Cüzdanda aç',
  walletClosed: 'Hiçbir şey açılmadı mı? Tutarı ve adresi cüzdanınıza kopyalayın.',
  browserWallet: {
    pay: '{wallet} ile öde',
    open: 'Ödemeyi cüzdanınızda onaylayın.',
    sent: 'Gönderildi. Ödeme algılandığında bu sayfa güncellenir.',
    again: '{wallet} ile yeniden gönderilsin mi?',
    twice: 'Yalnızca cüzdanınız ilk ödemenin başarısız olduğunu bildiriyorsa yeniden gönderin.',
    rejected: 'Ödemeyi onaylamadınız. Hiçbir şey gönderilmedi.',
    chain: 'Cüzdanınız bu ağı tanımıyor. Ağı cüzdanınıza ekleyip tekrar deneyin.',
    failed: 'Cüzdanınız ödemeyi gönderemedi. Bakiyesini kontrol edin veya QR kodu ya da adresle ödeyin.',
  },
  sendTestCoins: 'Deneme parası gönder',
  sendOnly: (coin, network) => `Yalnızca ${network} ağında ${coin} gönderin.`,
  otherCoins:
    'Başka kripto paralar veya başka ağlarda gönderilenler bu sipariş için sayılmayabilir ve kaybolabilir.',
  exactAmount: 'Tam olarak bu tutarı tek işlemde gönderin.',
  exactAmountReason:
    'Ödemenizi tutarından tanırız. Bir borsadan ödüyorsanız tam olarak bu tutarın ulaşması için ' +
    'borsanın çekim ücretini ekleyin.',
  exchangeFee:
    'Bir borsadan mı ödüyorsunuz? Tam olarak bu tutarın ulaşması için borsanın çekim ücretini ekleyin.',
  amountLeft: 'Kalan tutar',
  amountDue: 'Gönderilecek tam tutar',
  toAddress: network => `${network} ağındaki şu adrese`,
  rate: 'Kur',
  theAmount: 'tutarı',
  theAddress: 'adresi',
  nothingFound: network => `${network} üzerinde henüz ödeme algılanmadı.`,
  nothingMore: 'Başka bir şey ulaşmadı.',
  restMissing: 'Kalan tutar henüz ulaşmadı.',
  unconfirmed: 'Ödeme henüz onaylanmadı.',
  lapsed: 'Ödeme süresi doldu',
  partOf: (received, due) => `${received} / ${due}`,
  maybePaid:
    'Az önce ödediniz mi? Ödemeniz yine de algılanır; bu sayfayı kapatabilirsiniz. Ödemediyseniz ' +
    'yeni bir fiyat alın.',
  newPrice: coin => `Yeni ${coin} fiyatı al`,
  notCovered: 'Tutarın tamamını henüz almadık. Az önce ödediyseniz birkaç dakika sonra tekrar kontrol edin.',
  elsewhere: {
    ask: 'Başka bir ağdan gönderdim',
    looking: networks => `Şu anda kontrol ediliyor: ${networks}.`,
    found: coins => `Bulunan: ${coins}.`,
    nothing: (networks, time) => `Saat ${time} itibarıyla kontrol edildi, bir şey bulunamadı: ${networks}.`,
    unreachable: networks =>
      `Şu anda ulaşılamıyor: ${networks}. Denemeye devam edeceğiz; gönderdiğiniz para kaybolmaz.`,
  },
  turnedTo: coin =>
    `Başka bir pencerede daha yeni bir ödeme başlatıldı: ${coin}. Bu sayfa artık onu gösteriyor. ` +
    'Zaten ödediyseniz ödemeniz yine de algılanır.',
}
