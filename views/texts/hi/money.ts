import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `${total} में से ${received} मिला · ${left} बाकी`,
  receivedAll: (received, total) => `${total} में से ${received} मिला`,
  awaiting: (amount, shop) => `${shop} ने अभी ${amount} की राशि स्वीकार नहीं की है। फ़िलहाल और कुछ न भेजें।`,
  awaitingUnknown: shop => `${shop} ने अभी एक भुगतान स्वीकार नहीं किया है। फ़िलहाल और कुछ न भेजें।`,
  tooSmall: left =>
    `बाकी राशि ${left} भेजने के लिए बहुत छोटी है। दुकान को सूचना दे दी गई है; आपको और कुछ भेजने की ज़रूरत नहीं है।`,
  others: 'आपके शुरू किए गए दूसरे भुगतान',
  continueWith: name => `${name} के साथ जारी रखें`,
  part: received => `${received} मिला`,
  vanished: amount =>
    `आपका ${amount} का भुगतान अब नेटवर्क पर नहीं दिख रहा है। दोबारा भेजने से पहले उसे अपने वॉलेट में जाँचें।`,
  blind: (network, time) => `अभी ${network} नेटवर्क से संपर्क नहीं हो पा रहा है। पिछली जाँच: ${time}।`,
  blindNever: network => `अभी ${network} नेटवर्क से संपर्क नहीं हो पा रहा है।`,
  blindAdvice:
    'अगर आप भुगतान कर चुके हैं, तो आपका भुगतान खोया नहीं है। दोबारा भुगतान न करें: नेटवर्क से संपर्क होते ही हम उसे ढूँढ लेंगे।',
  couldNotCheck: network => `हम आपका भुगतान नहीं जाँच सके, क्योंकि अभी ${network} नेटवर्क से संपर्क नहीं हो पा रहा है।`,
  away: coin => `अभी ${coin} से संपर्क नहीं हो पा रहा है`,
  awayAdvice: 'भुगतान का कोई और तरीका चुनें, या कुछ मिनट बाद फिर से कोशिश करें।',
  soldBy: provider =>
    `${provider} आपको वे कॉइन बेचता है जिनसे इस ऑर्डर का भुगतान होता है। वह आपसे पहचान पत्र माँग सकता है और अपना ` +
    'शुल्क भी जोड़ता है।',
  receivedThrough: (amount, provider) => `हमें ${provider} के ज़रिए ${amount} मिला।`,
}
