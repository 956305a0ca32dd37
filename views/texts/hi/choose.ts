import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'भुगतान का तरीका चुनें',
  byProvider: 'कार्ड, बैंक ट्रांसफ़र या डिजिटल वॉलेट',
  crypto: 'क्रिप्टो',
  card: 'कार्ड',
  bank: 'बैंक ट्रांसफ़र',
  through: provider => `${provider} के ज़रिए`,
  moreWays: 'भुगतान के और तरीके',
  moreCoins: 'और कॉइन',
  filter: 'भुगतान का तरीका खोजें',
  noMatch: 'भुगतान का कोई तरीका नहीं मिला।',
  usual: (fee, time) => `नेटवर्क शुल्क आम तौर पर लगभग ${fee}, समय लगभग ${time}`,
  networks: count =>
    plural('hi', count, {
      one: `${count} नेटवर्क`,
      other: `${count} नेटवर्क`,
    }),
  payWith: method => `${method} से भुगतान करें`,
  continueTo: method => `${method} पर जारी रखें`,
  keepPageOpen: method => `${method} नए टैब में खुलेगा। भुगतान पहुँचा या नहीं, यह देखने के लिए इस पेज पर वापस आएँ।`,
  back: 'शुरू किए गए भुगतान पर वापस जाएँ',
  noMethod: 'भुगतान का कोई तरीका उपलब्ध नहीं',
  nothing: 'अभी भुगतान का कोई तरीका उपलब्ध नहीं है',
  providerAway: 'भुगतान सेवा जवाब नहीं दे रही है। कृपया कुछ मिनट बाद फिर से कोशिश करें।',
  noneForAmount: 'इस राशि के लिए दुकान का कोई भी भुगतान तरीका उपलब्ध नहीं है।',
  openUntil: time => `यह ऑर्डर ${time} तक खुला रहेगा।`,
  cardsAway: 'कार्ड, बैंक और डिजिटल वॉलेट से भुगतान अभी उपलब्ध नहीं है।',
  tryInMinutes: 'कृपया कुछ मिनट बाद फिर से कोशिश करें।',
  networksAway: networks => `अभी ${networks} से संपर्क नहीं हो पा रहा है।`,
  otherOrLater: 'भुगतान का कोई और तरीका चुनें, या कुछ मिनट बाद फिर से कोशिश करें।',
  unavailable: method => `${method} उपलब्ध नहीं है`,
  chooseOther: 'आपसे कोई पैसा नहीं लिया गया। कोई और तरीका चुनें।',
  declined: method => `${method} ने भुगतान अस्वीकार कर दिया`,
  tryAgainOrOther:
    'भुगतान पूरा नहीं हुआ। अगर आपका बैंक रोकी गई राशि दिखाता है, तो वह अपने आप हट जाएगी। फिर से कोशिश ' +
    'करें या कोई और तरीका चुनें।',
}
