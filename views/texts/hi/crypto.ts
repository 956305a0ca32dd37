import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${network} पर ${coin}`,
  pay: (amount, network) => `${network} पर ${amount} का भुगतान करें`,
  payCoin: amount => `${amount} का भुगतान करें`,
  waiting: 'आपके भुगतान का इंतज़ार है',
  timeLeft: 'बचा हुआ समय:',
  payBefore: time => `${time} से पहले भुगतान करें`,
  fewMinutesLeft: 'भुगतान के लिए पाँच मिनट से कम समय बचा है।',
  detected: 'भुगतान मिल गया',
  detectedWith: progress => `भुगतान मिल गया: ${progress}`,
  confirmations: 'पुष्टियाँ',
  progress: (done, required) => `${required} में से ${done} पुष्टियाँ`,
  lastConfirmation: 'अंतिम पुष्टि का इंतज़ार है',
  aboutLeft: time => `लगभग ${time} बाकी`,
  receivedPayments: 'अब तक मिली राशि',
  closePage: 'आप यह पेज बंद कर सकते हैं। नेटवर्क से भुगतान की पुष्टि होते ही ऑर्डर भुगतान किया हुआ माना जाएगा।',
  leftToPay: amount => `${amount} का भुगतान बाकी है`,
  sendRest: received => `हमें ${received} मिला। कृपया बाकी राशि इसी पते पर भेजें।`,
  dustTitle: 'बाकी राशि भेजने के लिए बहुत छोटी है',
  dust: (received, due) =>
    `हमें ${due} में से ${received} मिला और दुकान को सूचना दे दी गई है। आपको और कुछ भेजने की ज़रूरत नहीं है। अगर ` +
    'आपके ऑर्डर की पुष्टि जल्दी न हो तो दुकान से संपर्क करें।',
  qrOfPayment: 'भुगतान का QR कोड',
  qrOfAddress: 'पते का QR कोड',
  cannotScan: 'क्या आपका वॉलेट यह कोड स्कैन नहीं कर पा रहा?',
  onlyAddress: 'इस कोड में केवल पता है।',
  showAddressOnly: 'केवल पता दिखाएँ',
  includeAmount: 'राशि शामिल करें',
  openWallet: 'वॉलेट में खोलें',
  walletClosed: 'कुछ नहीं खुला? राशि और पता अपने वॉलेट में कॉपी करें।',
  browserWallet: {
    pay: '{wallet} से भुगतान करें',
    open: 'अपने वॉलेट में भुगतान की पुष्टि करें।',
    sent: 'भेज दिया गया। भुगतान मिलते ही यह पेज अपडेट हो जाएगा।',
    rejected: 'आपने भुगतान की पुष्टि नहीं की। कुछ भी नहीं भेजा गया।',
    chain: 'आपका वॉलेट इस नेटवर्क को नहीं पहचानता। इसे वॉलेट में जोड़ें और फिर से कोशिश करें।',
    failed: 'आपका वॉलेट भुगतान नहीं भेज सका। उसका बैलेंस जाँचें, या QR कोड या पते से भुगतान करें।',
  },
  sendTestCoins: 'परीक्षण कॉइन भेजें',
  sendOnly: (coin, network) => `${network} नेटवर्क पर केवल ${coin} भेजें।`,
  otherCoins: 'दूसरे कॉइन या दूसरे नेटवर्क पर भेजे गए कॉइन से इस ऑर्डर का भुगतान नहीं होगा और वे खो सकते हैं।',
  exactAmount: 'ठीक यही राशि एक ही लेन-देन में भेजें।',
  exactAmountReason:
    'हम आपके भुगतान को उसकी राशि से पहचानते हैं। अगर आप एक्सचेंज से भुगतान कर रहे हैं, तो उसका ' +
    'निकासी शुल्क जोड़ें, ताकि ठीक यही राशि पहुँचे।',
  amountLeft: 'बाकी भुगतान',
  amountDue: 'ठीक इतना भेजें',
  toAddress: network => `${network} नेटवर्क के इस पते पर`,
  rate: 'दर',
  theAmount: 'राशि',
  theAddress: 'पता',
  nothingFound: network => `${network} पर अभी तक कोई भुगतान नहीं मिला।`,
  nothingMore: 'और कुछ नहीं मिला।',
  restMissing: 'बाकी राशि अभी नहीं मिली।',
  unconfirmed: 'भुगतान की अभी पुष्टि नहीं हुई है।',
  lapsed: 'भुगतान का समय समाप्त हो गया',
  lapsedShort: received => `हमें ${received} मिला। आपका पैसा सुरक्षित है। दोबारा भुगतान करने से पहले दुकान से संपर्क करें।`,
  partOf: (received, due) => `${due} में से ${received}`,
  maybePaid:
    'क्या आपने अभी भुगतान किया है? आपका भुगतान फिर भी पहचान लिया जाएगा; आप यह पेज बंद कर सकते हैं। अगर नहीं, ' +
    'तो नई कीमत लें।',
  newPrice: coin => `${coin} में नई कीमत लें`,
  notCovered: 'हमें अभी पूरी राशि नहीं मिली है। अगर आपने अभी भुगतान किया है, तो कुछ मिनट बाद फिर से जाँचें।',
  turnedTo: coin =>
    `किसी दूसरी विंडो में एक नया भुगतान शुरू किया गया: ${coin}। यह पेज अब उसे दिखाता है। अगर आप ` +
    'पहले ही भुगतान कर चुके हैं, तो आपका भुगतान फिर भी मिल जाएगा।',
}
